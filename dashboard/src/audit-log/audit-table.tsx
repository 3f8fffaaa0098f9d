import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { Badge } from '../components/badge.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { RelativeTime } from '../components/timestamp.tsx'
import { useSignIn } from '../sign-in/sign-in-context.ts'
import { AuditChanges } from './audit-changes.tsx'
import { AuditSentence } from './audit-sentence.tsx'
import classes from './audit-table.module.css'
import { type AuditEvent, actorKinds } from './filters.ts'

interface Props {
  rows: readonly AuditEvent[] | undefined
  isPlaceholder: boolean
  memberName: (subject: string) => string | undefined
}

export function AuditTable({ rows, isPlaceholder, memberName }: Props) {
  const columns: Column<AuditEvent>[] = [
    { header: 'Time', width: 5.5, render: ({ at }) => <RelativeTime at={at} /> },
    { header: 'Actor', width: 8.5, render: event => <Actor event={event} /> },
    {
      header: 'Action',
      width: 17,
      render: event => <AuditSentence event={event} memberName={memberName} />,
    },
    {
      header: 'Changes',
      width: 14,
      render: event => <AuditChanges event={event} memberName={memberName} />,
    },
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
  const origin = [actor, actorIp && `from ${actorIp}`, actorIssuer].filter(Boolean).join('\n')
  return (
    <span title={origin}>
      {actorKind === 'api_key' && <Badge tone="neutral">{actorKinds.api_key}</Badge>}{' '}
      <Anchor
        component={Link}
        to={{ search: String(new URLSearchParams({ actor, actorKind })) }}
        title="Show only this actor"
        inherit
      >
        {actorName ?? <Unnamed actor={actor} />}
      </Anchor>
      {actorKind === 'member' && actor === subject && ' (you)'}
    </span>
  )
}

const unnamedLengthMax = 20

/** A member without a profile, or a deleted key. The whole ID is in the tooltip. */
function Unnamed({ actor }: { actor: string }) {
  const isLong = actor.length > unnamedLengthMax
  return (
    <>
      Unnamed <code className={classes.id}>{isLong ? `…${actor.slice(-8)}` : actor}</code>
    </>
  )
}
