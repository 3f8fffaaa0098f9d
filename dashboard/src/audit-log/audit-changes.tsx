import { Group, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { scopes } from '../api-keys/api-key.ts'
import { formatNumber } from '../components/format-number.ts'
import { DayOf, Timestamp } from '../components/timestamp.tsx'
import { sessionStates } from '../exports/receipt-button.tsx'
import { TenantLink } from '../session/links.tsx'
import { type Role, roleLabels } from '../settings/members/roles.tsx'
import { type ActorKind, type AuditEvent, actionLabel, actorKinds, type MemberName } from './filters.ts'

export interface EventProps {
  event: AuditEvent
  memberName: MemberName
}

/** What an action changed, each in a frame: an old and a new value, or fields by name. */
export function AuditChanges({ event: { action, changes }, memberName }: EventProps) {
  const { from, to, ...fields } = changes
  const isReplacement = 'from' in changes && 'to' in changes
  const format = action === 'member.set_role' ? formatRole : formatValue
  const shown = Object.entries(isReplacement ? fields : changes).filter(
    ([name, value]) => value !== null && !isInSentence(action, name),
  )
  if (!isReplacement && shown.length === 0) return null
  return (
    <Group component="ul" gap="0.25rem" m={0} p={0} style={{ overflowWrap: 'anywhere' }}>
      {isReplacement && (
        <Change>
          {from !== null && <>{format(from)} → </>}
          {format(to)}
        </Change>
      )}
      {shown.map(([name, value]) => (
        <Change key={name}>
          <Text span inherit c="dimmed">
            {toLabel(name)}
          </Text>{' '}
          {formatField(name, value, memberName)}
        </Change>
      ))}
    </Group>
  )
}

function Change({ children }: { children: ReactNode }) {
  return (
    <Paper component="li" withBorder display="block" maw="100%" px={5} radius="sm" bg="var(--surface-sunken)">
      {children}
    </Paper>
  )
}

/** What the row says already, or what helps nobody. */
function isInSentence(action: string, name: string): boolean {
  if (name === 'name') return /^(api_key|member)\./.test(action)
  if (name === 'subject') return action === 'invitation.accept'
  return name === 'jti'
}

/** An unknown field is shown by its name in words: `retryLimit` as "Retry limit". */
function toLabel(field: string): string {
  const words = field.replace(/(?<=[a-z\d])[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
  return labels[field] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

const labels: Record<string, string> = {
  expiresAt: 'Expires',
  inviter: 'Invited by',
  issuer: 'Sign-in provider',
  overlapHours: 'Old key ends in',
  previousValidUntil: 'Old secret until',
  replacement: 'New key',
  session: 'At the identity provider',
  subject: 'User',
}

function formatField(name: string, value: unknown, memberName: EventProps['memberName']): ReactNode {
  if (typeof value === 'string' && (name === 'inviter' || name === 'actor')) return memberName(value) ?? value
  if (name === 'actorKind') return actorKinds[value as ActorKind] ?? formatValue(value)
  if (name === 'replacement') return <TenantLink to={`/api-keys?key=${value}`}>…{String(value).slice(-8)}</TenantLink>
  if (name === 'role') return formatRole(value)
  if (name === 'session') return sessionStates[value as keyof typeof sessionStates] ?? formatValue(value)
  if (name === 'action')
    return [value]
      .flat()
      .map(code => actionLabel(String(code)))
      .join(', ')
  if (name === 'expiresAt' && typeof value === 'string') return <DayOf at={value} />
  if (name === 'overlapHours') return `${formatValue(value)} h`
  if (name === 'scopes' && Array.isArray(value) && value.length === scopes.length) return 'all'
  return formatValue(value)
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

function formatValue(value: unknown): ReactNode {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value !== 'string') return JSON.stringify(value)
  if (isoTime.test(value)) return <Timestamp at={value} />
  return value
}

function formatRole(value: unknown): ReactNode {
  return roleLabels[value as Role] ?? formatValue(value)
}
