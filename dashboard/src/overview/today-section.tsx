import { Box, Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatDay, formatWeekday } from '../components/dates.ts'
import { formatNumber } from '../components/format-number.ts'
import { Icon } from '../components/icon.tsx'
import { QueryState, usePolling } from '../components/query-state.tsx'
import { DocsLink, TenantLink } from '../session/links.tsx'
import { useTrpc } from '../trpc/trpc.ts'
import { findUnusual } from './findings.ts'
import { LoadingCards, MetricCards } from './metric-cards.tsx'
import type { DayComparison } from './metrics.ts'

const refreshMs = 30_000

/** Whether anything is wrong today, and the numbers that say so. */
export function TodaySection() {
  const trpc = useTrpc()
  const polling = usePolling(refreshMs)
  const { refetchInterval } = polling
  const query = useQuery(trpc.usage.compare.queryOptions(undefined, { refetchInterval }))
  const quota = useQuery(trpc.usage.current.queryOptions(undefined, { refetchInterval }))
  return (
    <QueryState query={query} polling={polling} loading={<Loading />}>
      {day => (
        <QueryState query={quota} loading={<Loading />}>
          {usage => (
            <>
              <Answer day={day} />
              <MetricCards day={day} usage={usage} />
            </>
          )}
        </QueryState>
      )}
    </QueryState>
  )
}

function Loading() {
  return (
    <>
      <Skeleton h={54} />
      <LoadingCards />
    </>
  )
}

/** In one line, and in a second one what it is based on. */
function Answer({ day }: { day: DayComparison }) {
  const findings = findUnusual(day)
  const isKnown = day.approval.verdict !== 'unknown' || day.completion.verdict !== 'unknown'
  const tone = findings[0] ? 'attention' : isKnown ? 'approved' : 'neutral'
  return (
    <Group gap="sm" align="flex-start" wrap="nowrap" mih={54}>
      <Box c={`var(--${tone}-text)`} pt={2}>
        <Icon name={findings[0] ? 'alert-triangle' : isKnown ? 'check' : 'info-circle'} size={22} />
      </Box>
      <div>
        <div role="status">
          {findings.length === 0 && (
            <Text fz="1.0625rem" fw={600}>
              {isKnown
                ? `Nothing unusual ${day.isOver ? 'yesterday' : 'today'}`
                : 'Too few results to say what is unusual'}
            </Text>
          )}
          {findings.map(({ text, label, to }, index) => (
            <Text key={text} {...(index === 0 ? { fz: '1.0625rem', fw: 600 } : { size: 'sm' })}>
              {text} <TenantLink to={to}>{label}</TenantLink>
            </Text>
          ))}
        </div>
        <Basis day={day} />
      </div>
    </Group>
  )
}

/** Which days are compared, and how few they are. */
function Basis({ day }: { day: DayComparison }) {
  const { usage, isOver, earlier } = day
  const which = isOver
    ? `Yesterday, ${formatWeekday(usage.from)} ${formatDay(usage.from)} (UTC): today has too few results.`
    : `${formatWeekday(usage.from)}, ${formatDay(usage.from)} (UTC), so far.`
  return (
    <Text c="dimmed">
      {which} {describeEarlier(earlier)} <DocsLink to="dashboard#what-is-unusual">What is unusual?</DocsLink>
    </Text>
  )
}

function describeEarlier({ days, ended }: DayComparison['earlier']): string {
  if (days === 0) return 'There is no usage on this weekday in the four weeks before to compare with.'
  const count = `${formatNumber(ended)} ${ended === 1 ? 'result' : 'results'}`
  return `Compared with this weekday in the four weeks before${days === 4 ? '' : `, of which ${days} had usage`}: ${count}.`
}
