import { Alert, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, startTransition, useRef, useState } from 'react'
import { Badge } from '../../components/badge.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { CopyIconButton } from '../../components/copyable-text.tsx'
import type { Column } from '../../components/data-table.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { DialogForm } from '../../components/form.tsx'
import { useConfirmedMutation, useFormMutation } from '../../components/mutations.ts'
import { PagedTable } from '../../components/paged-table.tsx'
import { ActionMenu, actionsColumn } from '../../components/row-action.tsx'
import { DayOf } from '../../components/timestamp.tsx'
import { useConfig } from '../../config.ts'
import { useSession } from '../../session/session-context.ts'
import { useTrpc } from '../../trpc/trpc.ts'
import { CreatedKeys } from './created-keys.tsx'
import { type Member, memberName, RoleField, roleLabels } from './roles.tsx'

interface Props extends Pick<ComponentProps<typeof PagedTable<Member>>, 'query' | 'paging' | 'empty'> {
  /** Why the user can't change a member. */
  disabledReason: (member: Member) => string | undefined
}

export function MemberTable({ disabledReason, ...list }: Props) {
  const { issuer: issuerInUse } = useConfig()
  const isFormer = ({ issuer }: Member) => issuer !== issuerInUse
  const table = useRef<HTMLDivElement>(null)
  const [changing, setChanging] = useState<Member>()
  const reload = useReloadMembers()
  const { standing } = useSession()
  const remove = useConfirmedMutation({
    mutation: useTrpc().members.remove.mutationOptions(),
    variables: ({ subject, issuer }: Member) => ({ subject, issuer }),
    successMessage: () => 'Member removed.',
    onSuccess: async () => {
      await reload()
      table.current?.focus()
    },
  })
  const columns: Column<Member>[] = [
    {
      header: 'User',
      width: 13.25,
      lines: 2,
      render: member => <User member={member} isFormer={isFormer(member)} />,
    },
    { header: 'Role', width: 5.5, render: ({ role }) => roleLabels[role] },
    { header: 'Added', width: 6, render: ({ addedAt }) => <DayOf at={addedAt} /> },
    // It is recorded once a day.
    { header: 'Last seen', width: 6, render: ({ lastSeenAt }) => <DayOf at={lastSeenAt} /> },
    {
      ...actionsColumn,
      render: member => {
        const change = { label: 'Change role …', onClick: () => startTransition(() => setChanging(member)) }
        const removal = { label: 'Remove …', isDestructive: true, onClick: () => remove.open(member) }
        return (
          <ActionMenu
            label={memberName(member)}
            disabledReason={disabledReason(member)}
            actions={[...(isFormer(member) ? [] : [change]), ...(member.isCaller ? [] : [removal])]}
          />
        )
      },
    },
  ]
  return (
    <Stack ref={table} tabIndex={-1}>
      <PagedTable
        {...list}
        label="Members"
        columns={columns}
        rowKey={({ issuer, subject }) => `${issuer} ${subject}`}
        loadingRows={Math.min(standing?.members ?? 3, 25)}
      />
      <Dialog
        opened={changing !== undefined}
        onClose={() => setChanging(undefined)}
        title={changing && `Change the role of ${memberName(changing)}?`}
      >
        {changing && <RoleForm member={changing} onClose={() => setChanging(undefined)} />}
      </Dialog>
      <ConfirmDialog
        title={`Remove ${remove.target && memberName(remove.target)}?`}
        confirmLabel="Remove member"
        {...remove.dialog}
      >
        They lose access immediately.
        {remove.target && <CreatedKeys member={remove.target} by="they" />}
        <Text inherit mt="xs">
          Replace keys that they may have kept, and rotate the signing secret if they may have seen it.
        </Text>
      </ConfirmDialog>
    </Stack>
  )
}

function User({ member, isFormer }: { member: Member; isFormer: boolean }) {
  const { name, email, subject, issuer, isCaller } = member
  const displayName = memberName(member)
  const ids = [name && email, subject].filter(id => id && id !== displayName).join(' · ')
  return (
    <div>
      <Group gap="xs" wrap="nowrap">
        <Text span inherit fw={500} truncate title={displayName}>
          {displayName}
        </Text>
        <CopyIconButton value={subject} label={`subject of ${displayName}`} />
        {isCaller && <Badge tone="neutral">You</Badge>}
      </Group>
      {ids && (
        <Text inherit truncate title={ids}>
          {ids}
        </Text>
      )}
      {isFormer && (
        <Text size="xs" c="dimmed">
          Can't sign in any more: the user of a former sign-in provider, {issuer}
        </Text>
      )}
    </div>
  )
}

function RoleForm({ member, onClose }: { member: Member; onClose: () => void }) {
  const [role, setRole] = useState(member.role)
  const [isSubmitted, setSubmitted] = useState(false)
  const isSame = role === member.role
  const reload = useReloadMembers()
  const save = useFormMutation({
    mutation: useTrpc().members.setRole.mutationOptions(),
    fields: ['role'],
    successMessage: changed => `${memberName(member)} is now ${changed.role}.`,
    onSuccess: async () => {
      onClose()
      await reload()
    },
  })
  const submit = () => {
    setSubmitted(true)
    if (!isSame) save.mutate({ subject: member.subject, role })
  }
  return (
    <DialogForm
      onSubmit={submit}
      onCancel={onClose}
      submitLabel={isSame ? 'Change role' : `Make ${roleLabels[role].toLowerCase()}`}
      mutation={save}
    >
      <RoleField
        role={role}
        error={isSubmitted && isSame ? 'Choose another role.' : save.fieldErrors.role}
        onChange={setRole}
      />
      {member.isCaller && !isSame && (
        <Alert color="orange">
          This is your own role. You can't manage members any more, and only another owner can change it back.
        </Alert>
      )}
    </DialogForm>
  )
}

/** Reloads members and invitations, and the session, because users can change their own membership. */
function useReloadMembers(): () => Promise<void> {
  const { refresh } = useSession()
  const { members } = useTrpc()
  const queryClient = useQueryClient()
  return async () => {
    await queryClient.invalidateQueries(members.pathFilter())
    await refresh()
  }
}
