import { Timestamp } from '../components/timestamp.tsx'
import classes from './audit-table.module.css'
import type { AuditEvent } from './filters.ts'

/** What an action changed: an old and a new value, or fields by name. */
export function AuditChanges({ changes }: { changes: AuditEvent['changes'] }) {
  const { from, to, ...fields } = changes
  const isReplacement = 'from' in changes && 'to' in changes
  const entries = Object.entries(isReplacement ? fields : changes)
  if (!isReplacement && entries.length === 0) return '–'
  return (
    <ul className={classes.changes}>
      {isReplacement && (
        <li>
          <Value value={from} /> → <Value value={to} />
        </li>
      )}
      {entries.map(([name, value]) => (
        <li key={name}>
          <span className={classes.field}>{labelOf(name)}:</span>{' '}
          <Value value={value} none={name === 'expiresAt' ? 'never' : 'none'} />
        </li>
      ))}
    </ul>
  )
}

/** An unknown field is shown by its name in words: `overlapHours` as "Overlap hours". */
function labelOf(field: string): string {
  const words = field.replace(/([a-z\d])([A-Z])/g, (_, last: string, first: string) => {
    return `${last} ${first.toLowerCase()}`
  })
  return labels[field] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

const labels: Record<string, string> = {
  expiresAt: 'Expires',
  inviter: 'Invited by',
  issuer: 'Sign-in provider',
  jti: 'Token ID',
  overlapHours: 'Hours until the old key ends',
  replacement: 'New key',
  previousValidUntil: 'Previous secret works until',
  subject: 'User',
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

function Value({ value, none = 'none' }: { value: unknown; none?: string }) {
  if (value === null || value === undefined || value === '') return none
  if (typeof value === 'string' && isoTime.test(value)) return <Timestamp at={value} />
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
