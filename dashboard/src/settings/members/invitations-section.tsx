import { Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ActionButton } from '../../components/action-button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Section } from '../../components/page.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useConfirmedMutation } from '../../trpc/mutations.ts'
import { type Outputs, useTrpc } from '../../trpc/trpc.ts'
import { InviteDialog } from './invite-dialog.tsx'

type Invitation = Outputs['members']['listInvitations']['items'][number]

/** `disabledReason`: why the user can't manage invitations. */
export function InvitationsSection({ disabledReason }: { disabledReason: string | undefined }) {
  const [inviting, { open, close }] = useDisclosure()
  const { data, error, refetch } = useQuery(useTrpc().members.listInvitations.queryOptions())
  return (
    <Section
      title="Open invitations"
      description="Each link makes one person a member. It works for 7 days."
      actions={
        <ActionButton
          disabledReason={disabledReason}
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={open}
        >
          Invite member
        </ActionButton>
      }
    >
      {error && !data ? (
        <ErrorAlert error={error} onRetry={refetch} />
      ) : data?.items.length === 0 ? (
        <Text size="sm" c="dimmed">
          There are no open invitations.
        </Text>
      ) : (
        <InvitationTable rows={data?.items} disabledReason={disabledReason} />
      )}
      <InviteDialog opened={inviting} onClose={close} />
    </Section>
  )
}

interface TableProps {
  rows: readonly Invitation[] | undefined
  disabledReason: string | undefined
}

function InvitationTable({ rows, disabledReason }: TableProps) {
  const trpc = useTrpc()
  const queryClient = useQueryClient()
  const revoke = useConfirmedMutation({
    mutation: trpc.members.revokeInvitation.mutationOptions(),
    variables: ({ invitationId }: Invitation) => ({ invitationId }),
    successMessage: () => 'Invitation revoked.',
    onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.members.pathKey() }),
  })
  const columns: Column<Invitation>[] = [
    { header: 'Role', render: ({ role }) => role },
    { header: 'Invited by', render: ({ inviter }) => inviter },
    { header: 'Created', render: ({ createdAt }) => <Timestamp at={createdAt} /> },
    { header: 'Expires', render: ({ expiresAt }) => <Timestamp at={expiresAt} /> },
    {
      header: 'Actions',
      headerHidden: true,
      alignEnd: true,
      render: invitation => (
        <ActionButton
          disabledReason={disabledReason}
          variant="subtle"
          color="red"
          c={disabledReason ? undefined : 'var(--denied-text)'}
          size="compact-sm"
          aria-label={`Revoke the invitation of a ${invitation.role}`}
          onClick={() => revoke.open(invitation)}
        >
          Revoke
        </ActionButton>
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
        loadingRows={1}
      />
      <ConfirmDialog title="Revoke this invitation?" confirmLabel="Revoke invitation" {...revoke.dialog}>
        Its link stops working immediately. You can invite the person again.
      </ConfirmDialog>
    </>
  )
}
