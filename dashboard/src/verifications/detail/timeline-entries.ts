import type { Tone } from '../../components/badge.tsx'
import type { Outputs } from '../../trpc/trpc.ts'
import { statuses } from '../status.ts'
import { resultOf } from '../verification-result.tsx'

type Verification = Outputs['verifications']['get']
type Change = Verification['timeline'][number]
type Token = NonNullable<Verification['token']>

interface Entry {
  /** ISO 8601. */
  at: string
  title: string
  note: string
  /** The identity provider's codes. */
  codes?: string | undefined
  tone: Tone
  /** In the future, such as a token's expiry. */
  isUpcoming: boolean
}

export interface Attempt {
  /** Undefined for what belongs to no attempt, and if there was only one. */
  title: string | undefined
  entries: Entry[]
}

/** The events of the verification and its token in chronological order, grouped by the user's attempts. */
export function attemptsOf(verification: Verification, now: Date): Attempt[] {
  const { timeline, token } = verification
  const changes = timeline.map(change => ({ change, entry: entryOf(change, verification) }))
  const tokenEntries = token ? tokenEntriesOf(token, now) : []
  if (!timeline.some(({ attempt }) => attempt !== null && attempt > 1)) {
    const entries = [...changes.map(({ entry }) => entry), ...tokenEntries]
    return [{ title: undefined, entries: entries.sort((a, b) => secondOf(a) - secondOf(b)) }]
  }
  const attempts: (Attempt & { number: number | null })[] = []
  for (const { change, entry } of changes) {
    const last = attempts.at(-1)
    // What the tenant reports belongs to the attempt under way.
    const number = change.attempt ?? (change.source === 'tenant' ? (last?.number ?? null) : null)
    if (last && last.number === number) last.entries.push(entry)
    else attempts.push({ number, title: undefined, entries: [entry] })
  }
  const titled = attempts.map(({ number, entries }) => ({
    title: number === null ? undefined : `Attempt ${number}: ${entries.at(-1)?.title.toLowerCase()}`,
    entries,
  }))
  return tokenEntries.length > 0 ? [...titled, { title: 'Token', entries: tokenEntries }] : titled
}

function entryOf(change: Change, verification: Verification): Entry {
  const { at, status, source, applied, description } = change
  // A revocation came later, and has an entry of its own.
  const { label, tone } = verification.tokenRevokedAt
    ? statuses[status]
    : resultOf({ ...verification, status })
  const what = description ?? sources[source]
  const revokesToken = status === 'denied' && verification.status === 'approved'
  const late = revokesToken
    ? 'It came too late to change the result, but the token is revoked.'
    : 'Ignored: it came too late and conflicts with the result.'
  return {
    at,
    title: label,
    note: applied ? `${what}.` : `${what}. ${late}`,
    codes: codesOf(change),
    tone: applied ? tone : 'neutral',
    isUpcoming: false,
  }
}

const sources: Record<Change['source'], string> = {
  provider: 'Reported by the identity provider',
  tenant: 'Reported by your backend',
  service: 'Set by the service',
}

/** Token times are whole seconds: within the same second, the change of status comes first. */
function secondOf({ at }: Entry): number {
  return Math.floor(Date.parse(at) / 1_000)
}

function tokenEntriesOf({ issuedAt, expiresAt, revokedAt }: Token, now: Date): Entry[] {
  const isExpired = Date.parse(expiresAt) <= now.getTime()
  const issued: Entry = {
    at: issuedAt,
    title: 'Token issued',
    note: 'Issued on approval.',
    tone: 'approved',
    isUpcoming: false,
  }
  const revoked: Entry[] = revokedAt
    ? [
        {
          at: revokedAt,
          title: 'Token revoked',
          note: 'Validation returns TOKEN_REVOKED.',
          tone: 'denied',
          isUpcoming: false,
        },
      ]
    : []
  const expiry: Entry = {
    at: expiresAt,
    title: isExpired ? 'Token expired' : 'Token expires',
    // Validation reports a revocation before an expiry.
    note: revokedAt
      ? 'Validation still returns TOKEN_REVOKED.'
      : 'From then on, validation returns TOKEN_EXPIRED.',
    tone: 'neutral',
    isUpcoming: !isExpired,
  }
  return [issued, ...revoked, expiry].sort((a, b) => secondOf(a) - secondOf(b))
}

/** What the identity provider reported with a change. */
export type Report = Pick<Outputs['verifications']['get']['timeline'][number], 'code' | 'reasonCode'>

/** As "Code 9102, reason code 502", by which its documentation can be searched; undefined without codes. */
export function codesOf({ code, reasonCode }: Report): string | undefined {
  if (code === null) return reasonCode === null ? undefined : `Reason code ${reasonCode}`
  return reasonCode === null ? `Code ${code}` : `Code ${code}, reason code ${reasonCode}`
}
