import { Text } from '@mantine/core'
import type { Outputs } from '../console/console.ts'
import { useSignIn } from '../sign-in/sign-in-context.ts'
import { type Column, DataTable } from '../table/data-table.tsx'
import { When } from '../time/when.tsx'
import { actionInWords } from './action-in-words.ts'
import classes from './audit-table.module.css'
import { ChangeList } from './change-list.tsx'

type AuditEvent = Outputs['audit']['list']['items'][number]

export function AuditTable({ rows }: { rows: readonly AuditEvent[] | undefined }) {
  return (
    <DataTable
      label="Audit log"
      columns={columns}
      rows={rows}
      rowKey={row => row.auditEventId}
      loadingRows={10}
      rowHeight={53}
    />
  )
}

const columns: Column<AuditEvent>[] = [
  { header: 'Time', render: ({ at }) => <When at={at} seconds /> },
  { header: 'Who', render: ({ actor, actorIp }) => <Actor actor={actor} ip={actorIp} /> },
  { header: 'What', render: ({ action }) => <span title={action}>{actionInWords(action)}</span> },
  { header: 'On', render: ({ target }) => (target ? <code className={classes.target}>{target}</code> : '–') },
  { header: 'Change', render: ({ changes }) => <ChangeList changes={changes} /> },
]

function Actor({ actor, ip }: { actor: string; ip: string | null }) {
  const { subject } = useSignIn()
  return (
    <span>
      {actor}
      {actor === subject && ' (you)'}
      {ip && (
        <Text size="xs" c="dimmed">
          {ip}
        </Text>
      )}
    </span>
  )
}
