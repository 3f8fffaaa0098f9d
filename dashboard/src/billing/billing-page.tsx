import { Anchor, Box, Group, Progress, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Badge } from '../components/badge.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { formatMonth, toUtcDay } from '../components/dates.ts'
import { DescriptionList } from '../components/description-list.tsx'
import { formatNumber, formatShare } from '../components/format-number.ts'
import { Page, Section } from '../components/page.tsx'
import { addDays, beginningOf } from '../components/periods.ts'
import { QueryState } from '../components/query-state.tsx'
import { serviceTime } from '../components/service-clock.ts'
import { UtcDay } from '../components/timestamp.tsx'
import { ExportButton } from '../exports/export-button.tsx'
import { TenantLink } from '../session/links.tsx'
import { type Outputs, useTrpc } from '../trpc/trpc.ts'
import { EvidenceMenu } from './evidence-menu.tsx'
import { describeLevel, describeOutlook, limitOf, quotaLevel, type Usage } from './quota.ts'

type Billing = Outputs['billing']['get']

/** The counts of a UTC day. */
type Day = Outputs['usage']['daily']['items'][number]

export function BillingPage() {
  return (
    <Page title="Billing">
      <Section title="Usage this month">
        <Group align="flex-start" gap="1.5rem 2.5rem">
          <MonthUsage />
          <Plan />
        </Group>
      </Section>
      <UsageByMonth />
    </Page>
  )
}

const refreshMs = 30_000

/** How much of the quota is used, and when it will be used up. */
function MonthUsage() {
  const { usage } = useTrpc()
  const query = useQuery(usage.current.queryOptions(undefined, { refetchInterval: refreshMs }))
  return (
    <Box flex="3 1 24rem" miw={0}>
      <QueryState query={query} loading={<Skeleton h={{ base: 124, xs: 104 }} />}>
        {usage => <Answer usage={usage} />}
      </QueryState>
      <Text c="dimmed" mt="md">
        Each verification counts once, in the UTC month in which it was started. Usage resets on{' '}
        <UtcDay day={beginningOf('month', toUtcDay(new Date(serviceTime())), -1)} />. The overview has{' '}
        <TenantLink to="/overview?range=month">the numbers of each day</TenantLink>.
      </Text>
    </Box>
  )
}

function Answer({ usage }: { usage: Usage }) {
  const { used, monthlyQuota } = usage
  const level = quotaLevel(usage)
  const tone = level === 'reached' ? 'denied' : level === 'normal' ? 'accent' : 'attention'
  return (
    <>
      <Text c="dimmed">
        <Text span fz="1.5rem" fw={600} c="var(--text)">
          {formatNumber(used)}
        </Text>{' '}
        of {formatNumber(monthlyQuota)} started ({formatShare(used, monthlyQuota)})
      </Text>
      <Progress aria-hidden my="xs" value={Math.min(100, (100 * used) / limitOf(usage))} color={`var(--${tone})`} />
      <Text>
        <b>{describeLevel(usage)}.</b> {describeOutlook(usage, serviceTime())}
      </Text>
    </>
  )
}

function Plan() {
  const query = useQuery(useTrpc().billing.get.queryOptions())
  return (
    <Box flex="2 1 18rem" miw={0}>
      <QueryState query={query} loading={<Skeleton h={{ base: 361, xs: 280 }} />}>
        {billing => <DescriptionList items={describePlan(billing)} />}
      </QueryState>
    </Box>
  )
}

function describePlan({ plan, subscription, enabled, contact, limits }: Billing) {
  const { rateLimitPerMinute, readRateLimitPerMinute, monthlyQuota, hardLimit, overage } = limits
  const isActive = subscription === 'active'
  return [
    { name: 'Plan', value: plan.charAt(0).toUpperCase() + plan.slice(1) },
    {
      name: 'Subscription',
      value: <Badge tone={isActive ? 'approved' : 'attention'}>{isActive ? 'Active' : 'Inactive'}</Badge>,
    },
    ...(enabled ? [] : [{ name: 'Tenant', value: <Badge tone="denied">Disabled</Badge> }]),
    { name: 'Monthly quota', value: `${formatNumber(monthlyQuota)} started per UTC month` },
    {
      name: 'Overage',
      value: overage
        ? 'On. Above the quota, new verifications are accepted up to the hard limit.'
        : 'Off. New verifications are rejected at the quota.',
    },
    ...(overage || hardLimit < monthlyQuota
      ? [{ name: 'Hard limit', value: `${formatNumber(hardLimit)} started per UTC month` }]
      : []),
    {
      name: 'Rate limits',
      value: `${formatNumber(rateLimitPerMinute)} writes and ${formatNumber(readRateLimitPerMinute)} reads per minute and API key`,
    },
    { name: 'Plan changes', value: <Operator contact={contact} /> },
  ]
}

function Operator({ contact = '' }: { contact: string | undefined }) {
  const isEmail = /^\S+@\S+$/.test(contact)
  return (
    <>
      Contact the operator of this service{contact && ': '}
      {isEmail ? <Anchor href={`mailto:${contact}`}>{contact}</Anchor> : contact}
    </>
  )
}

interface Month {
  /** The first UTC day, `YYYY-MM-DD`. */
  firstDay: string
  days: Day[]
}

const monthsShown = 12

/** What the tenant has used in each of the last 12 months. */
function UsageByMonth() {
  const days = lastMonths(new Date(serviceTime()))
  const query = useQuery(useTrpc().usage.daily.queryOptions(days))
  const months = query.data && groupByMonth(query.data.items)
  return (
    <Section
      title="Usage by month"
      description="Starts by UTC month, and results by the month in which they completed."
      actions={
        <Group gap="xs">
          <EvidenceMenu />
          <ExportButton
            name="usage"
            label="Export CSV by day"
            filters={{ ...days, from: months?.at(-1)?.days[0]?.day ?? days.from }}
          />
        </Group>
      }
    >
      <QueryState query={query} loading={<MonthTable months={undefined} />}>
        {() => <MonthTable months={months} />}
      </QueryState>
    </Section>
  )
}

function MonthTable({ months }: { months: Month[] | undefined }) {
  if (months?.length === 0) return <Text>No verifications in the last {monthsShown} months.</Text>
  return <DataTable label="Usage by month" columns={columns} rows={months} rowKey={({ firstDay }) => firstDay} />
}

/** The days of this month and of the eleven before it: at most 366. */
function lastMonths(now: Date) {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsShown + 1, 1))
  return { from: toUtcDay(first), to: toUtcDay(now) }
}

/** Newest first, without those that had no usage. */
function groupByMonth(days: readonly Day[]): Month[] {
  const used = days.filter(({ day: _, ...counts }) => Object.values(counts).some(count => count > 0))
  const months = Map.groupBy(used, ({ day }) => `${day.slice(0, 7)}-01`)
  return [...months].map(([firstDay, days]) => ({ firstDay, days })).toReversed()
}

const columns: Column<Month>[] = [
  { header: 'Month (UTC)', width: 11, render: ({ firstDay }) => monthLink(firstDay) },
  countColumn('Started', 'started'),
  countColumn('Approved', 'approved', 'status=approved&by=completed&'),
  countColumn('18+', 'over18', 'status=approved&over18=yes&by=completed&'),
  countColumn('Denied', 'denied', 'status=denied&by=completed&'),
  countColumn('Rejected', 'rejected', 'status=rejected&by=completed&'),
]

/** The counts link to their verifications if a filter, besides the month, is given. */
function countColumn(header: string, name: Exclude<keyof Day, 'day'>, filter?: string): Column<Month> {
  const render = ({ firstDay, days }: Month) => {
    const count = days.reduce((sum, day) => sum + day[name], 0)
    return count > 0 && filter ? listLink(firstDay, formatNumber(count), filter) : formatNumber(count)
  }
  return { header, width: 5.5, alignEnd: true, render }
}

/** To the verifications that were started in a month. */
function monthLink(firstDay: string) {
  const soFar = firstDay === beginningOf('month', toUtcDay(new Date(serviceTime()))) ? ' so far' : ''
  return listLink(firstDay, `${formatMonth(firstDay)}${soFar}`, '')
}

function listLink(firstDay: string, text: string, filter: string) {
  const query = `${filter}from=${firstDay}&to=${addDays(beginningOf('month', firstDay, -1), -1)}&zone=utc`
  return <TenantLink to={`/verifications?${query}`}>{text}</TenantLink>
}
