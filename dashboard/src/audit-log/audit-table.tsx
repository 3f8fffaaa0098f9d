import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { Badge } from '../components/badge.tsx'
import type { Column } from '../components/data-table.tsx'
import { ParameterPanelLink } from '../components/parameter-panel.tsx'
import { NoValue, RowTime } from '../components/timestamp.tsx'
import { TenantLink } from '../session/links.tsx'
import { useSignIn } from '../sign-in/sign-in-context.ts'
import { AuditChanges, type EventProps } from './audit-changes.tsx'
import classes from './audit-table.module.css'
import { type AuditEvent, actionLabel, actorKinds, type MemberName } from './filters.ts'

export function auditColumns(memberName: MemberName): Column<AuditEvent>[] {
  return [
    { header: 'Time', width: 9.25, cardArea: 'time', render: timeLink },
    { header: 'Actor', width: 6.25, cardArea: 'actor', render: event => <Actor event={event} /> },
    {
      header: 'IP address',
      width: 6.75,
      cardArea: 'ip',
      render: ({ actorIp }) => (actorIp ? <code className={classes.ip}>{actorIp}</code> : <NoValue>–</NoValue>),
    },
    {
      header: 'Action',
      width: 11,
      cardArea: 'action',
      render: event => <AuditSentence event={event} memberName={memberName} />,
    },
    {
      header: 'Changes',
      width: 12,
      cardArea: 'changes',
      render: event => <AuditChanges event={event} memberName={memberName} />,
    },
  ]
}

/** It opens the event. */
function timeLink({ auditEventId, at }: AuditEvent) {
  return (
    <ParameterPanelLink parameter="event" id={auditEventId}>
      <RowTime at={at} seconds />
    </ParameterPanelLink>
  )
}

export const cardTemplate = '"action time" "actor ip" "changes changes" / minmax(0, 1fr) 8rem'

/** Only members and keys have names of their own, which could be any words; a badge marks everyone else. */
export function Actor({ event: { actor, actorKind, actorName } }: { event: AuditEvent }) {
  const { subject } = useSignIn()
  return (
    <span className={classes.line}>
      {actorKind !== 'member' && <Badge tone="neutral">{actorKinds[actorKind]}</Badge>}
      {actorKind === 'api_key' && ' '}
      {(actorKind === 'member' || actorKind === 'api_key') && (
        <Anchor
          component={Link}
          to={{ search: String(new URLSearchParams({ actor, actorKind })) }}
          title={actorName ?? actor}
          inherit
        >
          {`${actorName ?? actor}${actorKind === 'member' && actor === subject ? ' (you)' : ''}`}
        </Anchor>
      )}
    </span>
  )
}

/** What was done to what, linked to where that is shown: "Created an API key: Shop". */
export function AuditSentence({ event, memberName }: EventProps) {
  const label = actionLabel(event.action)
  const { name, path } = readTarget(event, memberName)
  return (
    <span className={classes.line} title={name}>
      {name && `${label}: `}
      {path ? <TenantLink to={path}>{name ?? label}</TenantLink> : <span>{name ?? label}</span>}
    </span>
  )
}

interface Target {
  /** Undefined where the action itself says what it is about. */
  name?: string
  path?: string
}

function readTarget({ action, target, changes }: AuditEvent, memberName: MemberName): Target {
  if (target === null) return {}
  // By its end, as in the list of verifications.
  const byId = { name: `…${target.slice(-8)}` }
  const [noun = ''] = action.split('.')
  const path = action === 'settings.set_webhook_url' ? '/settings/webhook' : paths[noun]
  if (path) return noun === 'invitation' ? { ...byId, path } : { path }
  switch (noun) {
    case 'api_key':
      return { ...(typeof changes.name === 'string' ? { name: changes.name } : byId), path: `/api-keys?key=${target}` }
    case 'token':
      return { ...byId, path: `/verifications/${target}` }
    case 'member':
      return { name: memberName(target) ?? String(changes.name ?? target), path: '/settings/members' }
    default:
      // Such as a verification that was erased, which is not there any more.
      return byId
  }
}

/** What needs no name. */
const paths: Record<string, string> = {
  demo: '/verifications',
  invitation: '/settings/members',
  settings: '/settings',
  tenant: '/settings',
  webhook_secret: '/settings/webhook',
}
