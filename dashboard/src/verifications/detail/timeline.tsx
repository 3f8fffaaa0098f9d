import { Title } from '@mantine/core'
import type { Tone } from '../../components/badge.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import type { Outputs } from '../../trpc/trpc.ts'
import { statuses } from '../status.tsx'
import classes from './timeline.module.css'

type Verification = Outputs['verifications']['get']

export function Timeline({ verification }: { verification: Verification }) {
  return (
    <section aria-labelledby="timeline">
      <Title order={3} id="timeline" mb="xs">
        Timeline
      </Title>
      <ol className={classes.list}>
        {entriesOf(verification, new Date()).map(({ at, title, note, tone, isUpcoming }) => (
          <li key={`${at} ${title}`} className={classes.entry} data-tone={tone} data-upcoming={isUpcoming}>
            <div className={classes.header}>
              <strong>{title}</strong>
              <Timestamp at={at} seconds />
            </div>
            <span className={classes.note}>{note}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

interface Entry {
  at: string
  title: string
  note: string
  tone: Tone
  /** In the future, such as a token's expiry. */
  isUpcoming: boolean
}

/** The events of the verification and its token in chronological order. */
function entriesOf({ timeline, token }: Verification, now: Date): Entry[] {
  const statusEntries = timeline.map(({ at, status, source, applied }) => ({
    at,
    title: statuses[status].label,
    note: applied ? sources[source] : 'Ignored: reported too late and conflicts with the result.',
    tone: applied ? statuses[status].tone : 'neutral',
    isUpcoming: false,
  }))
  const entries = token ? [...statusEntries, ...tokenEntriesOf(token, now)] : statusEntries
  return entries.sort((a, b) => secondOf(a) - secondOf(b))
}

/** Token times are whole seconds: within the same second, the change of status comes first. */
function secondOf({ at }: Entry): number {
  return Math.floor(Date.parse(at) / 1_000)
}

function tokenEntriesOf(
  { issuedAt, expiresAt, revokedAt }: NonNullable<Verification['token']>,
  now: Date,
): Entry[] {
  const isExpired = Date.parse(expiresAt) <= now.getTime()
  const entries: Entry[] = [
    {
      at: issuedAt,
      title: 'Token issued',
      note: 'Issued on approval.',
      tone: 'approved',
      isUpcoming: false,
    },
    {
      at: expiresAt,
      title: isExpired ? 'Token expired' : 'Token expires',
      note: 'From then on, validation returns TOKEN_EXPIRED.',
      tone: 'neutral',
      isUpcoming: !isExpired,
    },
  ]
  if (revokedAt) {
    entries.push({
      at: revokedAt,
      title: 'Token revoked',
      note: 'Validation returns TOKEN_REVOKED.',
      tone: 'denied',
      isUpcoming: false,
    })
  }
  return entries
}

const sources: Record<Verification['timeline'][number]['source'], string> = {
  provider: 'Reported by the identity provider.',
  tenant: 'Reported by your backend.',
  service: 'Set by the service.',
}
