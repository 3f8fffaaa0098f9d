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
      description={
        <>
          Of the verifications that ended in these days, whenever they were started.{' '}
          <ListLink filter={{ state: 'open' }}>Open ones</ListLink> can still go on.
        </>
      }
    >
      <QueryState query={query} loading={<Skeleton h={{ base: 196, xs: 175 }} />}>
        {({ current }) => <Losses usage={current} isBusy={query.isPlaceholderData} />}
      </QueryState>
    </Section>
  )
}

function Losses({ usage, isBusy }: { usage: Summary['current']; isBusy: boolean }) {
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
    <Stack gap="md" aria-busy={isBusy} className={classes.data}>
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
    </Stack>
  )
}
