import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { Badge } from '../components/badge.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { Timestamp } from '../components/timestamp.tsx'
import { useSignIn } from '../sign-in/sign-in-context.ts'
import { actionLabel } from './actions.ts'
import { AuditChanges } from './audit-changes.tsx'
import { AuditTarget } from './audit-target.tsx'
import { type AuditEvent, actorKinds } from './filters.ts'

interface Props {
  rows: readonly AuditEvent[] | undefined
  isPlaceholder: boolean
  memberName: (subject: string) => string | undefined
}

export function AuditTable({ rows, isPlaceholder, memberName }: Props) {
  const columns: Column<AuditEvent>[] = [
    { header: 'Time', width: 7, render: ({ at }) => <Timestamp at={at} seconds /> },
    { header: 'Actor', width: 9, lines: 2, render: event => <Actor event={event} /> },
    { header: 'Action', width: 8.5, render: ({ action }) => actionLabel(action) },
    {
      header: 'Target',
      width: 9.5,
      render: event => <AuditTarget event={event} memberName={memberName} />,
    },
    { header: 'Changes', width: 10.5, render: ({ changes }) => <AuditChanges changes={changes} /> },
  ]
  return (
    <DataTable
      label="Audit log"
      columns={columns}
      rows={rows}
      rowKey={row => row.auditEventId}
      loadingRows={10}
      isPlaceholder={isPlaceholder}
    />
  )
}

/** Only members and keys have names of their own, which could be any words; a badge marks everyone else. */
function Actor({ event }: { event: AuditEvent }) {
  const { subject } = useSignIn()
  const { actor, actorKind, actorName, actorIssuer, actorIp } = event
  if (actorKind === 'operator' || actorKind === 'service') {
    return <Badge tone="neutral">{actorKinds[actorKind]}</Badge>
  }
  return (
    <div title={actorIssuer ?? undefined}>
      {actorKind === 'api_key' && <Badge tone="neutral">{actorKinds.api_key}</Badge>}{' '}
      <Anchor
        component={Link}
        to={{ search: String(new URLSearchParams({ actor, actorKind })) }}
        title="Show only this actor"
        inherit
      >
        {actorName ?? actor}
      </Anchor>
      {actorKind === 'member' && actor === subject && ' (you)'}
      {actorIp && (
        <Text size="xs" c="dimmed">
          {actorIp}
        </Text>
      )}
    </div>
  )
}
