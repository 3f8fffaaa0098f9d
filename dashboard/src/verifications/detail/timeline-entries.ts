import type { Tone } from '../../badge/badge.tsx'
import type { Outputs } from '../../console/console.ts'
import { statuses } from '../status.ts'

type Verification = Outputs['verifications']['get']

export interface TimelineEntry {
  at: string
  title: string
  note: string
  tone: Tone
  /** Still to come, such as a token's expiry. */
  ahead: boolean
}

/** What happened to the verification and its token, in the order of time. */
export function timelineEntries({ timeline, token }: Verification, now: Date): TimelineEntry[] {
  const changes = timeline.map(({ at, status, source, applied }) => ({
    at,
    title: statuses[status].label,
    note: applied ? reportedBy[source] : 'Reported too late: it contradicts the result, and changed nothing.',
    tone: applied ? statuses[status].tone : 'neutral',
    ahead: false,
  }))
  const ofToken = token ? tokenEntries(token, now) : []
  return [...changes, ...ofToken].sort((a, b) => second(a) - second(b))
}

/** A token's times are whole seconds: within one, the change of status comes first. */
function second({ at }: TimelineEntry): number {
  return Math.floor(Date.parse(at) / 1_000)
}

function tokenEntries({ issuedAt, expiresAt, revokedAt }: NonNullable<Verification['token']>, now: Date) {
  const expired = Date.parse(expiresAt) <= now.getTime()
  const entries: TimelineEntry[] = [
    { at: issuedAt, title: 'Token issued', note: 'With the approval.', tone: 'approved', ahead: false },
    {
      at: expiresAt,
      title: expired ? 'Token expired' : 'Token expires',
      note: 'After that, it is answered with TOKEN_EXPIRED.',
      tone: 'neutral',
      ahead: !expired,
    },
  ]
  if (!revokedAt) return entries
  const note = 'Since then, it is answered with TOKEN_REVOKED.'
  return [...entries, { at: revokedAt, title: 'Token revoked', note, tone: 'denied' as const, ahead: false }]
}

const reportedBy: Record<Verification['timeline'][number]['source'], string> = {
  provider: 'Reported by the identity provider.',
  tenant: 'Reported by your backend.',
  service: 'By the service.',
}
