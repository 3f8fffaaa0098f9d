import { Text } from '@mantine/core'
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
      rowHeight={53}
    />
  )
}

const columns: Column<AuditEvent>[] = [
  { header: 'Time', render: ({ at }) => <Timestamp at={at} seconds /> },
  { header: 'Actor', render: ({ actor, actorIp }) => <Actor actor={actor} ip={actorIp} /> },
  { header: 'Action', render: ({ action }) => <span title={action}>{labelOf(action)}</span> },
  {
    header: 'Target',
    render: ({ target }) => (target ? <code className={classes.target}>{target}</code> : '–'),
  },
  { header: 'Changes', render: ({ changes }) => <Changes changes={changes} /> },
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
