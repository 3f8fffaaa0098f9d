import { Group, Timeline as MantineTimeline, Text, Title } from '@mantine/core'
import { type CSSProperties, Fragment } from 'react'
import { Timestamp } from '../../components/timestamp.tsx'
import type { Outputs } from '../../trpc/trpc.ts'
import { statuses } from '../status.ts'
import { resultOf } from '../verification-result.tsx'

type Verification = Outputs['verifications']['get']
type Change = Verification['timeline'][number]

/** What happened to the verification, in chronological order, by the user's attempts if there were several. */
export function Timeline({ verification }: { verification: Verification }) {
  return (
    <section aria-labelledby="timeline">
      <Title order={3} id="timeline" mb="sm">
        Timeline
      </Title>
      {attemptsOf(verification).map(({ number, events }) => (
        <Fragment key={`${number} ${events[0]?.at}`}>
          {number !== null && (
            <Title order={4} size="sm" mb="sm">
              {`Attempt ${number}: ${events.at(-1)!.title.toLowerCase()}`}
            </Title>
          )}
          <MantineTimeline
            role="list"
            bulletSize={12}
            lineWidth={2}
            active={events.length - 1}
            mb="lg"
            style={itemSpacing}
          >
            {events.map(({ at, title, note, tone, codes }) => (
              <MantineTimeline.Item
                key={`${at} ${title}`}
                role="listitem"
                color={`var(--${tone})`}
                title={
                  <Group justify="space-between" gap="0 1rem" fz="sm">
                    {title}
                    <Text span size="xs" fw={400}>
                      <Timestamp at={at} seconds />
                    </Text>
                  </Group>
                }
              >
                <Text>{note}</Text>
                {codes && (
                  <Text size="xs" c="dimmed">
                    {codes}
                  </Text>
                )}
              </MantineTimeline.Item>
            ))}
          </MantineTimeline>
        </Fragment>
      ))}
    </section>
  )
}

/** Mantine's items have the largest spacing between them. */
const itemSpacing = { '--mantine-spacing-xl': '0.875rem' } as CSSProperties

/** Without a number: what belongs to no attempt, as the token's revocation, and everything if there was only one. */
function attemptsOf(verification: Verification) {
  const { timeline, tokenRevokedAt } = verification
  const hasSeveral = timeline.some(({ attempt }) => attempt !== null && attempt > 1)
  const attempts: { number: number | null; events: ReturnType<typeof describe>[] }[] = []
  const add = (number: number | null, event: ReturnType<typeof describe>) => {
    const last = attempts.at(-1)
    if (last?.number === number) last.events.push(event)
    else attempts.push({ number, events: [event] })
  }
  for (const change of timeline) {
    add(hasSeveral ? change.attempt : null, describe(change, verification))
  }
  if (tokenRevokedAt) {
    const note = 'From then on, validating it returns TOKEN_REVOKED.'
    add(null, { at: tokenRevokedAt, title: 'Token revoked', note, tone: 'denied', codes: undefined })
  }
  return attempts
}

function describe(change: Change, verification: Verification) {
  const { status, source, applied, reasonCode, description } = change
  // That the token was revoked came later.
  const { label, tone } = verification.tokenRevokedAt ? statuses[status] : resultOf({ ...verification, status })
  const isInVerdict = applied && status === 'denied' && reasonCode !== null
  const what = (!isInVerdict && description) || sources[source]
  const event = { at: change.at, title: label, codes: codesOf(change) }
  if (applied) return { ...event, note: `${what}.`, tone }
  const late =
    status === 'denied' && verification.status === 'approved'
      ? 'It came too late to change the result, but the token is revoked.'
      : 'Ignored: it came too late and conflicts with the result.'
  return { ...event, note: `${what}. ${late}`, tone: 'neutral' }
}

const sources: Record<Change['source'], string> = {
  provider: 'Reported by the identity provider',
  service: 'Set by the service',
}

/** As "Code 9102, reason code 502", by which its documentation can be searched; undefined without codes. */
function codesOf({ code, reasonCode }: Change): string | undefined {
  if (code === null) return reasonCode === null ? undefined : `Reason code ${reasonCode}`
  return reasonCode === null ? `Code ${code}` : `Code ${code}, reason code ${reasonCode}`
}
