import { Text } from '@mantine/core'
import { useState } from 'react'
import { GuardedButton } from '../../feedback/guarded-button.tsx'
import { useSignIn } from '../../sign-in/sign-in-context.ts'
import { type Column, DataTable } from '../../table/data-table.tsx'
import { When } from '../../time/when.tsx'
import { RemoveMemberDialog } from './remove-member-dialog.tsx'
import { RoleSelect } from './role-select.tsx'
import type { Member } from './roles.ts'

interface Props {
  rows: readonly Member[] | undefined
  obstacle: string | undefined
}

export function MemberTable({ rows, obstacle }: Props) {
  const { subject: me } = useSignIn()
  const [removing, setRemoving] = useState<Member>()
  const columns: Column<Member>[] = [
    { header: 'User', render: ({ subject }) => <Subject subject={subject} isMe={subject === me} /> },
    {
      header: 'Role',
      render: member => (obstacle ? member.role : <RoleSelect key={member.role} member={member} />),
    },
    { header: 'Added', render: ({ addedAt }) => <When at={addedAt} /> },
    {
      header: 'Actions',
      headerHidden: true,
      alignEnd: true,
      render: member => (
        <GuardedButton
          obstacle={obstacle}
          variant="subtle"
          color="red"
          c={obstacle ? undefined : 'var(--denied-text)'}
          size="compact-sm"
          aria-label={`Remove ${member.subject}`}
          onClick={() => setRemoving(member)}
        >
          Remove
        </GuardedButton>
      ),
    },
  ]
  return (
    <>
      <DataTable
        label="Members"
        columns={columns}
        rows={rows}
        rowKey={({ subject }) => subject}
        loadingRows={3}
      />
      <RemoveMemberDialog member={removing} onClose={() => setRemoving(undefined)} />
    </>
  )
}

function Subject({ subject, isMe }: { subject: string; isMe: boolean }) {
  return (
    <span>
      {subject}
      {isMe && (
        <Text span c="dimmed" inherit>
          {' '}
          (you)
        </Text>
      )}
    </span>
  )
}
