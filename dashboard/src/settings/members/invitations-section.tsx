import { NativeSelect, Skeleton, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { startTransition, useRef, useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { DialogForm } from '../../components/form.tsx'
import { Icon } from '../../components/icon.tsx'
import { useConfirmedMutation, useFormMutation } from '../../components/mutations.ts'
import { Section } from '../../components/page.tsx'
import { QueryState } from '../../components/query-state.tsx'
import { ActionMenu, actionsColumn } from '../../components/row-action.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { NoValue, RelativeTime, RowTime } from '../../components/timestamp.tsx'
import { useDisabledReason, useSession } from '../../session/session-context.ts'
import { type Outputs, useTrpc } from '../../trpc/trpc.ts'
import { type Role, RoleField, roleLabels } from './roles.tsx'

type Invitation = Outputs['members']['listInvitations']['items'][number]

const openInvitationsMax = 50
const membersMax = 500

/** The page's main action. It asks for role and lifetime, and then shows the link, once. */
export function InviteMember() {
  const { data } = useInvitations()
  const disabledReason = useDisabledReason('members')
  const [inviting, { open, close }] = useDisclosure()
  const { standing } = useSession()
  const full =
    (data?.items.length ?? 0) >= openInvitationsMax
      ? `This tenant has ${openInvitationsMax} open invitations, the maximum. Revoke one first.`
      : (standing?.members ?? 0) >= membersMax
        ? `This tenant has ${membersMax} members, the maximum. Remove one first.`
        : undefined
  return (
    <>
      <ActionButton
        disabledReason={disabledReason ?? full}
        leftSection={<Icon name="plus" size={16} />}
        onClick={() => startTransition(open)}
      >
        Invite member
      </ActionButton>
      <SecretDialog opened={inviting} onClose={close} title="Invite a member" words={words}>
        {onCreated => <InviteForm onCreated={onCreated} onCancel={close} />}
      </SecretDialog>
    </>
  )
}

function useInvitations() {
  return useQuery(useTrpc().members.listInvitations.queryOptions())
}

export function InvitationsSection() {
  const query = useInvitations()
  const disabledReason = useDisabledReason('members')
  const list = useRef<HTMLDivElement>(null)
  const { members } = useTrpc()
  const queryClient = useQueryClient()
  const revoke = useConfirmedMutation({
    mutation: members.revokeInvitation.mutationOptions(),
    variables: ({ invitationId }: Invitation) => ({ invitationId }),
    successMessage: () => 'Invitation revoked.',
    onSuccess: async () => {
      await queryClient.invalidateQueries(members.pathFilter())
      list.current?.focus()
    },
  })
  const columns: Column<Invitation>[] = [
    { header: 'For whom', width: 10, render: ({ note }) => note ?? <NoValue>No note</NoValue> },
    { header: 'Role', width: 5.25, render: ({ role }) => roleLabels[role] },
    { header: 'Invited by', width: 9.5, render: ({ inviter, inviterName }) => inviterName ?? inviter },
    { header: 'Created', width: 6.25, render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    { header: 'Expires', width: 8, render: ({ expiresAt }) => <RowTime at={expiresAt} /> },
    {
      ...actionsColumn,
      render: invitation => (
        <ActionMenu
          label={`the invitation ${nameInvitation(invitation)}`}
          disabledReason={disabledReason}
          actions={[{ label: 'Revoke …', isDestructive: true, onClick: () => revoke.open(invitation) }]}
        />
      ),
    },
  ]
  return (
    <Section title="Open invitations" description="Each link makes one person a member.">
      <div ref={list} tabIndex={-1}>
        <QueryState query={query} loading={<Skeleton height="1lh" />}>
          {({ items }) =>
            items.length > 0 ? (
              <DataTable
                label="Open invitations"
                columns={columns}
                rows={items}
                rowKey={({ invitationId }) => invitationId}
              />
            ) : (
              <Text c="dimmed">There are no open invitations.</Text>
            )
          }
        </QueryState>
      </div>
      <ConfirmDialog title="Revoke this invitation?" confirmLabel="Revoke invitation" {...revoke.dialog}>
        The link {revoke.target && nameInvitation(revoke.target)} stops working immediately. You can invite the person
        again.
      </ConfirmDialog>
    </Section>
  )
}

const nameInvitation = ({ note, role }: Invitation) => (note === null ? `as ${role}` : `for ${note}`)

const words = {
  title: 'Send this link',
  label: 'invitation link',
  noun: 'link',
  stored: 'copied',
  about: 'Whoever opens this link first can join this tenant, so send it to one person only. It is shown only now.',
  loss: "You won't be able to see it again. If you lose it, revoke the invitation and create a new one.",
}

const noteLengthMax = 100

const lifetimes = [1, 3, 7, 14, 30].map(days => ({
  value: String(days),
  label: `${days} ${days === 1 ? 'day' : 'days'}`,
}))

function InviteForm({ onCreated, onCancel }: { onCreated: (url: string) => void; onCancel: () => void }) {
  const [role, setRole] = useState<Role>('viewer')
  const [days, setDays] = useState('7')
  const [note, setNote] = useState('')
  const { members } = useTrpc()
  const queryClient = useQueryClient()
  const invite = useFormMutation({
    mutation: members.invite.mutationOptions({ gcTime: 0 }),
    fields: ['role', 'validForDays', 'note'],
    onSuccess: created => {
      onCreated(created.url)
      return queryClient.invalidateQueries(members.pathFilter())
    },
  })
  return (
    <DialogForm
      onSubmit={() => invite.mutate({ role, validForDays: Number(days), note: note.trim() || undefined })}
      onCancel={onCancel}
      submitLabel="Create link"
      mutation={invite}
    >
      <TextInput
        label="For whom (optional)"
        description="Only members see it, to tell open invitations apart."
        placeholder="Name or team"
        maxLength={noteLengthMax}
        data-autofocus
        value={note}
        error={invite.fieldErrors.note}
        onChange={event => setNote(event.currentTarget.value)}
      />
      <RoleField role={role} error={invite.fieldErrors.role} onChange={setRole} />
      <NativeSelect
        label="The link works for"
        data={lifetimes}
        value={days}
        error={invite.fieldErrors.validForDays}
        onChange={event => setDays(event.currentTarget.value)}
      />
    </DialogForm>
  )
}
