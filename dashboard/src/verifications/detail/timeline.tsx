import { Group, Timeline as MantineTimeline, Text, Title } from '@mantine/core'
import type { CSSProperties } from 'react'
import { formatDuration } from '../../components/format-number.ts'
import { serviceTime } from '../../components/service-clock.ts'
import { Timestamp } from '../../components/timestamp.tsx'
import type { Outputs } from '../../trpc/trpc.ts'
import { type Attempt, attemptsOf } from './timeline-entries.ts'

/** What happened to the verification and its token, by the user's attempts if there were several. */
export function Timeline({ verification }: { verification: Outputs['verifications']['get'] }) {
  return (
    <section aria-labelledby="timeline">
      <Title order={3} id="timeline" mb="sm">
        Timeline
      </Title>
      {attemptsOf(verification, new Date(serviceTime())).map(attempt => (
        <Entries key={attempt.entries[0]?.at} attempt={attempt} />
      ))}
    </section>
  )
}

function Entries({ attempt: { title, entries } }: { attempt: Attempt }) {
  return (
    <>
      {title && (
        <Title order={4} size="sm" mb="sm">
          {title}
        </Title>
      )}
      <MantineTimeline
        role="list"
        bulletSize={12}
        lineWidth={2}
        active={entries.findLastIndex(({ isUpcoming }) => !isUpcoming)}
        mb="lg"
        style={itemSpacing}
      >
        {entries.map(({ at, title, note, codes, tone }, index) => (
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
            <Text size="sm">{note}</Text>
            {codes && (
              <Text size="xs" c="dimmed">
                {codes}
              </Text>
            )}
            <Gap from={at} to={entries[index + 1]?.at} />
          </MantineTimeline.Item>
        ))}
      </MantineTimeline>
    </>
  )
}

/** The time until the next entry, beside the line between them. */
function Gap({ from, to }: { from: string; to: string | undefined }) {
  const seconds = to ? (Date.parse(to) - Date.parse(from)) / 1_000 : 0
  if (seconds < 1) return null
  return (
    <Text size="xs" c="dimmed" mt="xs">
      ↓ {formatDuration(seconds)}
    </Text>
  )
}

/** Mantine's items have the largest spacing between them. */
const itemSpacing = { '--mantine-spacing-xl': '0.875rem' } as CSSProperties
