import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { Badge } from '../components/badge.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { RowTime } from '../components/timestamp.tsx'
import { useTenantPath } from '../session/session-context.ts'
import { useSignIn } from '../sign-in/sign-in-context.ts'
import { AuditChanges } from './audit-changes.tsx'
import classes from './audit-table.module.css'
import { type AuditEvent, actionLabel, actorKinds } from './filters.ts'

interface Props {
  rows: readonly AuditEvent[] | undefined
  isPlaceholder: boolean
  memberName: (subject: string) => string | undefined
}

export function AuditTable({ rows, isPlaceholder, memberName }: Props) {
  const columns: Column<AuditEvent>[] = [
    { header: 'Time', width: 6.5, cardArea: 'time', render: ({ at }) => <RowTime at={at} seconds /> },
    { header: 'Actor', width: 7.25, cardArea: 'actor', render: event => <Actor event={event} /> },
    {
      header: 'IP address',
      width: 7.25,
      cardArea: 'ip',
      render: ({ actorIp }) => actorIp && <code className={classes.ip}>{actorIp}</code>,
    },
    {
      header: 'Action',
      width: 11.75,
      cardArea: 'action',
      render: event => <AuditSentence event={event} memberName={memberName} />,
    },
    {
      header: 'Changes',
      width: 12.25,
      cardArea: 'changes',
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
      cardTemplate={cardTemplate}
    />
  )
}

const cardTemplate = '"action action" "actor time" "changes ip" / minmax(0, 1fr) auto'

/** Only members and keys have names of their own, which could be any words; a badge marks everyone else. */
function Actor({ event }: { event: AuditEvent }) {
  const { subject } = useSignIn()
  const { actor, actorKind, actorName, actorIssuer } = event
  if (actorKind === 'operator' || actorKind === 'service') {
    return <Badge tone="neutral">{actorKinds[actorKind]}</Badge>
  }
  return (
    <span title={[actor, actorIssuer].filter(Boolean).join('\n')} className={classes.line}>
      {actorKind === 'api_key' && <Badge tone="neutral">{actorKinds.api_key}</Badge>}{' '}
      <Anchor
        component={Link}
        to={{ search: String(new URLSearchParams({ actor, actorKind })) }}
        title={`Show only ${actorName ?? actor}`}
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

interface SentenceProps {
  event: AuditEvent
  /** The name of a member; undefined for one who left. */
  memberName: (subject: string) => string | undefined
}

/** What was done to what, linked to where that is shown: "Created an API key: Shop". */
function AuditSentence({ event, memberName }: SentenceProps) {
  const tenantPath = useTenantPath()
  const label = actionLabel(event.action)
  const { name, id, path } = readTarget(event, memberName)
  const shown = name ?? (id === undefined ? undefined : <EndOfId id={id} />)
  if (path === undefined) {
    return (
      <span title={name ?? id} className={classes.line}>
        {label}
        {shown && <>: {shown}</>}
      </span>
    )
  }
  const link = (
    <Anchor
      component={Link}
      to={tenantPath(path)}
      inherit
      underline={shown ? 'always' : 'hover'}
      title={name ?? id}
    >
      {shown ?? label}
    </Anchor>
  )
  return shown ? (
    <span className={classes.line}>
      {label}: {link}
    </span>
  ) : (
    link
  )
}

/** Cut by its style alone, so that screen readers and the clipboard get all of it. */
function EndOfId({ id }: { id: string }) {
  return (
    <code className={classes.endOfId}>
      <bdi>{id}</bdi>
    </code>
  )
}

interface Target {
  /** Neither it nor an ID where the action itself says what it is about. */
  name?: string | undefined
  /** Of which only the end is shown, in a monospaced font. */
  id?: string
  path?: string
}

function readTarget(
  { action, target, changes }: AuditEvent,
  memberName: SentenceProps['memberName'],
): Target {
  if (target === null) return {}
  const [noun = ''] = action.split('.')
  switch (noun) {
    case 'api_key': {
      const path = `/api-keys?key=${target}`
      return typeof changes.name === 'string' ? { name: changes.name, path } : { id: target, path }
    }
    case 'token':
      return { id: target, path: `/verifications/${target}` }
    case 'verification':
      // What was erased is not there any more.
      return { id: target }
    case 'member':
      return { name: memberName(target) ?? target, path: '/settings/members' }
    case 'invitation':
      return { path: '/settings/members' }
    case 'webhook_secret':
      return { path: '/settings/webhook' }
    case 'settings':
      return { path: action === 'settings.set_webhook_url' ? '/settings/webhook' : '/settings' }
    case 'demo':
    case 'tenant':
      return { path: '/settings' }
    default:
      return { id: target }
  }
}
