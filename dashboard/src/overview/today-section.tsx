import { Box, Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatDay, formatWeekday } from '../components/dates.ts'
import { formatNumber } from '../components/format-number.ts'
import { Icon } from '../components/icon.tsx'
import { QueryState, usePolling } from '../components/query-state.tsx'
import { DocsLink, TenantLink } from '../session/links.tsx'
import { useTrpc } from '../trpc/trpc.ts'
import { describeFinding, type UnusualUsage } from './describe-finding.ts'

const refreshMs = 30_000

/** Whether anything is unusual today. */
export function TodaySection() {
  const polling = usePolling(refreshMs)
  const { refetchInterval } = polling
  const query = useQuery(useTrpc().usage.unusual.queryOptions(undefined, { refetchInterval }))
  return (
    <QueryState query={query} polling={polling} loading={<Skeleton h={{ base: 85, xs: 54 }} />}>
      {usage => <Answer {...usage} />}
    </QueryState>
  )
}

/** In one line, and in a second one what it is based on. */
function Answer(usage: UnusualUsage) {
  const { day, isOver, isKnown } = usage
  const findings = usage.findings.map(finding => describeFinding(finding, day))
  const isUnusual = findings.length > 0
  const tone = isUnusual ? 'attention' : isKnown ? 'approved' : 'neutral'
  return (
    <Group gap="sm" align="flex-start" wrap="nowrap" mih={{ base: 85, xs: 54 }}>
      <Box c={`var(--${tone}-text)`} pt={2}>
        <Icon name={isUnusual ? 'alert-triangle' : isKnown ? 'check' : 'info-circle'} size={22} />
      </Box>
      <div>
        <div role="status">
          {!isUnusual && (
            <Text fz="1.0625rem" fw={600}>
              {isKnown ? `Nothing unusual ${isOver ? 'yesterday' : 'today'}` : 'Too few results to say what is unusual'}
            </Text>
          )}
          {findings.map(({ text, label, path }, index) => (
            <Text key={text} {...(index === 0 ? { fz: '1.0625rem', fw: 600 } : { size: 'sm' })}>
              {text} <TenantLink to={path}>{label}</TenantLink>
            </Text>
          ))}
        </div>
        <Text c="dimmed">
          {formatWeekday(day)}, {formatDay(day)} (UTC){isOver ? ': today has too few results.' : ', so far.'}{' '}
          {describeEarlier(usage.earlier)} <DocsLink to="dashboard#what-is-unusual">What is unusual?</DocsLink>
        </Text>
      </div>
    </Group>
  )
}

function describeEarlier({ days, ended }: UnusualUsage['earlier']): string {
  if (days === 0) return 'There is no usage on this weekday in the four weeks before to compare with.'
  const count = `${formatNumber(ended)} ${ended === 1 ? 'result' : 'results'}`
  return `Compared with this weekday in the four weeks before${days === 4 ? '' : `, of which ${days} had usage`}: ${count}.`
}
