import { NativeSelect, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { ActionButton } from '../../components/action-button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { notifyError } from '../../components/notify.ts'
import { DayOf, Timestamp } from '../../components/timestamp.tsx'
import { useConfig } from '../../config.ts'
import { useSession } from '../../session/session-context.ts'
import { useSignIn } from '../../sign-in/sign-in-context.ts'
import { toConsoleError } from '../../trpc/console-error.ts'
import { useConfirmedMutation, useNotifyingMutation } from '../../trpc/mutations.ts'
import { useTrpc } from '../../trpc/trpc.ts'
import { isRole, type Member, roles } from './roles.ts'

interface Props {
  rows: readonly Member[] | undefined
  /** Why the user can't manage members. */
  disabledReason: string | undefined
}

export function MemberTable({ rows, disabledReason }: Props) {
  const { subject: ownSubject } = useSignIn()
  const { issuer: issuerInUse } = useConfig()
  const isFormer = ({ issuer }: Member) => issuer !== issuerInUse
  const isOwn = (member: Member) => member.subject === ownSubject && !isFormer(member)
  const trpc = useTrpc()
  const reload = useReloadMembers()
  const remove = useConfirmedMutation({
    mutation: trpc.members.remove.mutationOptions(),
    variables: ({ subject, issuer }: Member) => ({ subject, issuer }),
    successMessage: ({ subject }) => `${subject} removed.`,
    onSuccess: reload,
  })
  const columns: Column<Member>[] = [
    {
      header: 'User',
      render: member => <Subject member={member} isOwn={isOwn(member)} isFormer={isFormer(member)} />,
    },
    {
      header: 'Role',
      render: member =>
        disabledReason || isFormer(member) ? member.role : <RoleSelect key={member.role} member={member} />,
    },
    { header: 'Added', render: ({ addedAt }) => <Timestamp at={addedAt} /> },
    { header: 'Last seen', render: ({ lastSeenAt }) => <LastSeen at={lastSeenAt} /> },
    {
      header: 'Actions',
      headerHidden: true,
      alignEnd: true,
      render: member =>
        isOwn(member) ? null : (
          <ActionButton
            disabledReason={disabledReason}
            variant="subtle"
            color="red"
            c={disabledReason ? undefined : 'var(--denied-text)'}
            size="compact-sm"
            aria-label={`Remove ${member.subject}`}
            onClick={() => remove.open(member)}
          >
            Remove
          </ActionButton>
        ),
    },
  ]
  return (
    <>
      <DataTable
        label="Members"
        columns={columns}
        rows={rows}
        rowKey={({ issuer, subject }) => `${issuer} ${subject}`}
        loadingRows={3}
      />
      <ConfirmDialog
        title={`Remove ${remove.target?.subject}?`}
        confirmLabel="Remove member"
        {...remove.dialog}
      >
        They lose access to this tenant immediately. API keys that they created keep working.
      </ConfirmDialog>
    </>
  )
}

interface SubjectProps {
  member: Member
  isOwn: boolean
  isFormer: boolean
}

function Subject({ member: { subject, issuer }, isOwn, isFormer }: SubjectProps) {
  return (
    <span>
      {subject}
      {isFormer && (
        <Text size="xs" c="dimmed">
          Can't sign in any more: the user of a former sign-in provider, {issuer}
        </Text>
      )}
      {isOwn && (
        <Text span c="dimmed" inherit>
          {' '}
          (you)
        </Text>
      )}
    </span>
  )
}

/** The day only: it is recorded once a day. */
function LastSeen({ at }: { at: string | null }) {
  if (at) return <DayOf at={at} />
  return (
    <Text span inherit c="dimmed">
      Never
    </Text>
  )
}

/** Saves a new role as soon as it is selected. */
function RoleSelect({ member: { subject, role } }: { member: Member }) {
  const trpc = useTrpc()
  const setRole = useNotifyingMutation({
    mutation: trpc.members.setRole.mutationOptions({
      onError: error => notifyError('The role was not changed', toConsoleError(error).message),
    }),
    successMessage: changed => `${changed.subject} is now ${changed.role}.`,
    onSuccess: useReloadMembers(),
  })
  return (
    <NativeSelect
      size="xs"
      aria-label={`Role of ${subject}`}
      data={roles}
      value={setRole.isPending ? setRole.variables.role : role}
      disabled={setRole.isPending}
      onChange={({ currentTarget: { value } }) => isRole(value) && setRole.mutate({ subject, role: value })}
    />
  )
}

/** Reloads the session too, because users can change their own membership. */
function useReloadMembers(): () => Promise<void> {
  const { refresh } = useSession()
  const trpc = useTrpc()
  const queryClient = useQueryClient()
  return async () => {
    await queryClient.invalidateQueries({ queryKey: trpc.members.pathKey() })
    await refresh()
  }
}
