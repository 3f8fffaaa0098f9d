import { Text } from '@mantine/core'
import { Badge } from '../components/badge.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { Timestamp } from '../components/timestamp.tsx'
import { useSignIn } from '../sign-in/sign-in-context.ts'
import type { Outputs } from '../trpc/trpc.ts'
import classes from './audit-table.module.css'

type AuditEvent = Outputs['audit']['list']['items'][number]

export function AuditTable({ rows }: { rows: readonly AuditEvent[] | undefined }) {
  return (
    <DataTable
      label="Audit log"
      columns={columns}
      rows={rows}
      rowKey={row => row.auditEventId}
      loadingRows={10}
    />
  )
}

const columns: Column<AuditEvent>[] = [
  { header: 'Time', render: ({ at }) => <Timestamp at={at} seconds /> },
  { header: 'Actor', render: event => <Actor event={event} /> },
  { header: 'Action', render: ({ action }) => <span title={action}>{labelOf(action)}</span> },
  {
    header: 'Target',
    render: ({ target }) => (target ? <code className={classes.target}>{target}</code> : '–'),
  },
  { header: 'Changes', render: ({ changes }) => <Changes changes={changes} /> },
]

/** Only a member has a name of its own, and it could be any word; a badge marks everyone else. */
function Actor({ event: { actor, actorKind, actorIssuer, actorIp } }: { event: AuditEvent }) {
  const { subject } = useSignIn()
  if (actorKind !== 'member') {
    return (
      <span>
        <Badge tone="neutral">{actorKinds[actorKind]}</Badge> {actorKind === 'api_key' && actor}
      </span>
    )
  }
  return (
    <span title={actorIssuer ?? undefined}>
      {actor}
      {actor === subject && ' (you)'}
      {actorIp && (
        <Text size="xs" c="dimmed">
          {actorIp}
        </Text>
      )}
    </span>
  )
}

const actorKinds: Record<Exclude<AuditEvent['actorKind'], 'member'>, string> = {
  operator: 'Operator',
  api_key: 'API key',
  service: 'Service',
}

/** An unknown action is shown by its name, such as `api_key.create`, with spaces. */
function labelOf(action: string): string {
  return labels[action] ?? action.replace(/[._]/g, ' ')
}

const labels: Record<string, string> = {
  'api_key.create': 'Created an API key',
  'api_key.revoke': 'Revoked an API key',
  'invitation.accept': 'Accepted an invitation',
  'invitation.create': 'Invited a member',
  'invitation.revoke': 'Revoked an invitation',
  'member.add': 'Added a member',
  'member.leave': 'Left the tenant',
  'member.remove': 'Removed a member',
  'member.set_role': "Changed a member's role",
  'settings.set_return_url': 'Changed the return URL',
  'settings.set_webhook_url': 'Changed the webhook URL',
  'tenant.create': 'Created the tenant',
  'tenant.disable': 'Disabled the tenant',
  'tenant.enable': 'Enabled the tenant',
  'tenant.provision': 'Created the tenant',
  'tenant.rename': 'Renamed the tenant',
  'tenant.set_plan': 'Changed the plan',
  'tenant.set_subscription': 'Changed the subscription',
  'token.revoke': 'Revoked a token',
  'webhook_secret.reveal': 'Revealed the signing secret',
  'webhook_secret.rotate': 'Rotated the signing secret',
}

function Changes({ changes }: { changes: AuditEvent['changes'] }) {
  const entries = Object.entries(changes)
  if (entries.length === 0) return '–'
  return (
    <ul className={classes.changes}>
      {entries.map(([name, value]) => (
        <li key={name}>
          <span className={classes.field}>{name}</span> {formatValue(value)}
        </li>
      ))}
    </ul>
  )
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (Array.isArray(value)) return value.map(formatValue).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
