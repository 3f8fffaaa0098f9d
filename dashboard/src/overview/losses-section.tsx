import { Group, Progress, Skeleton, Stack, Text } from '@mantine/core'
import { formatNumber, formatPart } from '../components/format-number.ts'
import { Section } from '../components/page.tsx'
import type { Days } from '../components/periods.ts'
import { QueryState } from '../components/query-state.tsx'
import classes from './overview.module.css'
import { ListLink } from './series.tsx'
import { type Summary, useSummary } from './summary.ts'

/** At which step the verifications that ended were lost. */
export function LossesSection({ days }: { days: Days }) {
  const query = useSummary(days)
  return (
    <Section
      id="losses"
      title="Where users give up"
      description="Of the verifications that ended in these days, whenever they were started."
    >
      <QueryState query={query} loading={<Skeleton h={{ base: 196, xs: 175 }} />}>
        {summary => (
          <Stack gap="md" aria-busy={query.isPlaceholderData} className={classes.data}>
            <Losses usage={summary.current} />
            <StillOpen open={summary.open} />
          </Stack>
        )}
      </QueryState>
    </Section>
  )
}

function Losses({ usage }: { usage: Summary['current'] }) {
  const { ended, opened, submitted, decided } = usage
  if (ended === 0) return <Text>No verification ended in this period.</Text>
  const losses =
    decided === ended
      ? []
      : [
          { label: 'Never opened the page', count: ended - opened },
          { label: 'Left before submitting', count: opened - submitted },
          { label: 'Submitted, but had no decision', count: submitted - decided },
        ]
  return (
    <>
      <Text>
        <b>{formatNumber(decided)}</b> of {formatNumber(ended)} were decided ({formatPart(decided, ended)}).
      </Text>
      <Stack component="ul" className={classes.list} gap="xs">
        {losses.map(({ label, count }) => (
          <li key={label}>
            <Group justify="space-between" gap="sm" wrap="nowrap">
              <span>{label}</span>
              <span style={{ flex: 'none' }}>
                <b>{formatNumber(count)}</b> ({formatPart(count, ended)})
              </span>
            </Group>
            <Progress aria-hidden value={(100 * Math.max(0, count)) / ended} color="var(--attention)" />
          </li>
        ))}
      </Stack>
    </>
  )
}

const openStates = [
  { status: 'pending', label: 'not opened yet' },
  { status: 'started', label: 'in the check' },
  { status: 'submitted', label: 'in review' },
  { status: 'resubmission', label: 'asked to submit again' },
] as const

/** They are in no number above, because they can still go on. */
function StillOpen({ open }: { open: Summary['open'] }) {
  const shown = openStates.filter(({ status }) => open[status] > 0)
  if (shown.length === 0) return null
  return (
    <Text component="div">
      Still open, and not counted above:{' '}
      {shown.map(({ status, label }, index) => (
        <span key={status}>
          {index > 0 && ', '}
          <ListLink filter={{ statuses: [status], state: 'open' }}>{`${formatOpen(open[status])} ${label}`}</ListLink>
        </span>
      ))}
      .
    </Text>
  )
}

/** How many of each status are counted at most. */
const openMax = 10_000

function formatOpen(count: number): string {
  return count >= openMax ? `${formatNumber(count)} or more` : formatNumber(count)
}
