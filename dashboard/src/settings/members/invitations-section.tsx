import { Skeleton, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Icon } from '../../components/icon.tsx'
import { Section } from '../../components/page.tsx'
import { QueryState } from '../../components/query-state.tsx'
import { RowAction } from '../../components/row-action.tsx'
import { NoTime, RelativeTime } from '../../components/timestamp.tsx'
import { useConfirmedMutation } from '../../trpc/mutations.ts'
import { type Outputs, useTrpc } from '../../trpc/trpc.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { roleLabels } from './roles.tsx'

type Invitation = Outputs['members']['listInvitations']['items'][number]

interface Props {
  query: UseQueryResult<Outputs['members']['listInvitations'], unknown>
  /** Why the user can't manage invitations. */
  disabledReason: string | undefined
}

export function InvitationsSection({ query, disabledReason }: Props) {
  const [inviting, { open, close }] = useDisclosure()
  const inviteButton = useRef<HTMLButtonElement>(null)
  return (
    <Section
      title="Open invitations"
      description="Each link makes one person a member."
      actions={
        <ActionButton
          ref={inviteButton}
          disabledReason={disabledReason}
          leftSection={<Icon name="plus" size={16} />}
          onClick={open}
        >
          Invite member
        </ActionButton>
      }
    >
      <QueryState query={query} loading={<Skeleton height="1lh" />}>
        {({ items }) =>
          items.length > 0 ? (
            <InvitationTable
              rows={items}
              disabledReason={disabledReason}
              onRevoked={() => inviteButton.current?.focus()}
            />
          ) : (
            <Text size="sm" c="dimmed">
              There are no open invitations.
            </Text>
          )
        }
      </QueryState>
      <InviteDialog opened={inviting} onClose={close} />
    </Section>
  )
}

interface TableProps {
  rows: readonly Invitation[]
  disabledReason: string | undefined
  onRevoked: () => void
}

function InvitationTable({ rows, disabledReason, onRevoked }: TableProps) {
  const { members } = useTrpc()
  const queryClient = useQueryClient()
  const revoke = useConfirmedMutation({
    mutation: members.revokeInvitation.mutationOptions(),
    variables: ({ invitationId }: Invitation) => ({ invitationId }),
    successMessage: () => 'Invitation revoked.',
    onSuccess: async () => {
      await queryClient.invalidateQueries(members.pathFilter())
      onRevoked()
    },
  })
  const columns: Column<Invitation>[] = [
    { header: 'For whom', width: 11, render: ({ note }) => note ?? <NoTime>No note</NoTime> },
    { header: 'Role', width: 6, render: ({ role }) => roleLabels[role] },
    { header: 'Invited by', width: 10, render: ({ inviter, inviterName }) => inviterName ?? inviter },
    { header: 'Created', width: 6, render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    { header: 'Expires', width: 6, render: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
    {
      header: 'Actions',
      width: 5.5,
      headerHidden: true,
      alignEnd: true,
      render: invitation => (
        <RowAction
          disabledReason={disabledReason}
          aria-label={`Revoke the invitation ${nameInvitation(invitation)}`}
          onClick={() => revoke.open(invitation)}
        >
          Revoke
        </RowAction>
      ),
    },
  ]
  return (
    <>
      <DataTable
        label="Open invitations"
        columns={columns}
        rows={rows}
        rowKey={({ invitationId }) => invitationId}
      />
      <ConfirmDialog title="Revoke this invitation?" confirmLabel="Revoke invitation" {...revoke.dialog}>
        The link {revoke.target && nameInvitation(revoke.target)} stops working immediately. You can invite
        the person again.
      </ConfirmDialog>
    </>
  )
}

function nameInvitation({ note, role }: Invitation): string {
  return note === null ? `as ${role}` : `for ${note}`
}
