import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { Badge } from '../components/badge.tsx'
import type { Column } from '../components/data-table.tsx'
import { RowTime } from '../components/timestamp.tsx'
import { TenantLink } from '../session/links.tsx'
import { useSignIn } from '../sign-in/sign-in-context.ts'
import { AuditChanges, type EventProps } from './audit-changes.tsx'
import classes from './audit-table.module.css'
import { type AuditEvent, actionLabel, actorKinds, type MemberName } from './filters.ts'

export function auditColumns(memberName: MemberName): Column<AuditEvent>[] {
  return [
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
}

export const cardTemplate = '"action action" "actor time" "changes ip" / minmax(0, 1fr) auto'

/** Only members and keys have names of their own, which could be any words; a badge marks everyone else. */
function Actor({ event }: { event: AuditEvent }) {
  const { subject } = useSignIn()
  const { actor, actorKind, actorName, actorIssuer } = event
  if (actorKind === 'operator' || actorKind === 'service') {
    return <Badge tone="neutral">{actorKinds[actorKind]}</Badge>
  }
  return (
    <span className={classes.line}>
      {actorKind === 'api_key' && <Badge tone="neutral">{actorKinds.api_key}</Badge>}{' '}
      <Anchor
        component={Link}
        to={{ search: String(new URLSearchParams({ actor, actorKind })) }}
        title={[actor, actorIssuer].filter(Boolean).join('\n')}
        inherit
      >
        {actorName ?? actor}
      </Anchor>
      {actorKind === 'member' && actor === subject && ' (you)'}
    </span>
  )
}

/** What was done to what, linked to where that is shown: "Created an API key: Shop". */
function AuditSentence({ event, memberName }: EventProps) {
  const label = actionLabel(event.action)
  const { name, id, path } = readTarget(event, memberName)
  const target = name ?? (id && <EndOfId id={id} />)
  return (
    <span className={classes.line} title={name ?? id}>
      {target && `${label}: `}
      {path ? <TenantLink to={path}>{target ?? label}</TenantLink> : (target ?? label)}
    </span>
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

function readTarget({ action, target, changes }: AuditEvent, memberName: MemberName): Target {
  if (target === null) return {}
  const [noun = ''] = action.split('.')
  const path = action === 'settings.set_webhook_url' ? '/settings/webhook' : paths[noun]
  if (path) return { path }
  switch (noun) {
    case 'api_key': {
      const path = `/api-keys?key=${target}`
      return typeof changes.name === 'string' ? { name: changes.name, path } : { id: target, path }
    }
    case 'token':
      return { id: target, path: `/verifications/${target}` }
    case 'member':
      return { name: memberName(target) ?? target, path: '/settings/members' }
    default:
      // Such as a verification that was erased, which is not there any more.
      return { id: target }
  }
}

/** What needs no name. */
const paths: Record<string, string> = {
  demo: '/settings',
  invitation: '/settings/members',
  settings: '/settings',
  tenant: '/settings',
  webhook_secret: '/settings/webhook',
}
