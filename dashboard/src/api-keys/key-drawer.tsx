import { Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { Badge } from '../components/badge.tsx'
import { CopyableText } from '../components/copyable-text.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { formatDay } from '../components/dates.ts'
import { DescriptionList } from '../components/description-list.tsx'
import { formatNumber } from '../components/format-number.ts'
import { QueryState } from '../components/query-state.tsx'
import { serviceTime } from '../components/service-clock.ts'
import { SidePanel, useClosePanel, useFocusAfterClosing } from '../components/side-panel.tsx'
import { Timestamp } from '../components/timestamp.tsx'
import { type Outputs, useTrpc } from '../trpc/trpc.ts'
import { type ApiKey, creatorName } from './api-key.ts'
import { describeAttention } from './attention.ts'

type Day = Outputs['apiKeys']['usage']['items'][number]

const parameter = 'key'

/** The query string that opens a key's details on this page. */
export function keySearch(search: string, apiKeyId: string): string {
  const params = new URLSearchParams(search)
  params.set(parameter, apiKeyId)
  return params.toString()
}

/** The ID of the link in the list that opens a key's details. */
export function keyLinkId(apiKeyId: string): string {
  return `api-key-${apiKeyId}`
}

/** Details and requests of the last 30 days of the key that the page's URL names. */
export function KeyDrawer() {
  const [params] = useSearchParams()
  const rest = new URLSearchParams(params)
  rest.delete(parameter)
  const close = useClosePanel({ search: rest.toString() })
  const apiKeyId = params.get(parameter) ?? undefined
  useFocusAfterClosing(apiKeyId && keyLinkId(apiKeyId))
  return (
    <SidePanel opened={apiKeyId !== undefined} onClose={close} title="API key">
      {apiKeyId && <KeyDetails apiKeyId={apiKeyId} />}
    </SidePanel>
  )
}

function KeyDetails({ apiKeyId }: { apiKeyId: string }) {
  const { apiKeys } = useTrpc()
  const key = useQuery(apiKeys.get.queryOptions({ apiKeyId }))
  const usage = useQuery(apiKeys.usage.queryOptions({ apiKeyId }))
  return (
    <Stack>
      <QueryState query={key} loading={<Skeleton height={330} />}>
        {apiKey => <Facts apiKey={apiKey} />}
      </QueryState>
      <Title order={3}>Requests in the last 30 days (UTC)</Title>
      <QueryState query={usage} loading={<Skeleton height={400} />}>
        {({ items }) => <Requests days={items} />}
      </QueryState>
    </Stack>
  )
}

function Facts({ apiKey }: { apiKey: Outputs['apiKeys']['get'] }) {
  const { apiKeyId, name, displayStart, scopes, state, createdAt } = apiKey
  const { lastUsedAt, expiresAt, revokedAt } = apiKey
  const attention = describeAttention(apiKey, serviceTime())
  return (
    <>
      <Title order={3}>{name}</Title>
      <DescriptionList
        items={[
          { name: 'State', value: <State state={state} attention={attention} /> },
          { name: 'Begins with', value: <code>{displayStart}</code> },
          { name: 'ID', value: <CopyableText value={apiKeyId} label="key ID" /> },
          { name: 'Scopes', value: scopes.join(', ') },
          { name: 'Created', value: <Timestamp at={createdAt} seconds /> },
          { name: 'Created by', value: creatorName(apiKey) ?? 'Not recorded' },
          { name: 'Last used', value: lastUsedAt ? <Timestamp at={lastUsedAt} /> : 'Never' },
          { name: 'Expires', value: expiresAt ? <Timestamp at={expiresAt} seconds /> : 'Never' },
          ...(revokedAt ? [{ name: 'Revoked', value: <Timestamp at={revokedAt} seconds /> }] : []),
        ]}
      />
    </>
  )
}

function State({ state, attention }: { state: ApiKey['state']; attention: string | undefined }) {
  if (state === 'revoked') return <Badge tone="denied">Revoked</Badge>
  if (state === 'expired') return <Badge tone="neutral">Expired</Badge>
  return attention ? <Badge tone="attention">{attention}</Badge> : <Badge tone="approved">Active</Badge>
}

function countRequests({ starts, statusReads, submits, completes, validations }: Day): number {
  return starts + statusReads + submits + completes + validations
}

function Requests({ days }: { days: readonly Day[] }) {
  const used = days.filter(day => countRequests(day) > 0).toSorted((a, b) => b.day.localeCompare(a.day))
  if (used.length > 0) {
    return (
      <DataTable
        label="Requests by day"
        columns={dayColumns}
        rows={used}
        rowKey={({ day }) => day}
        cardTemplate='"day words" / 4rem 1fr'
      />
    )
  }
  return <Text c="dimmed">None. Requests are counted when the key is accepted, and appear here within 10 seconds.</Text>
}

/** With the width of six digits for what is frequent. */
const counts: [header: string, width: number, count: (day: Day) => number][] = [
  ['All', 4.75, countRequests],
  ['Start', 4.25, day => day.starts],
  ['Status', 4.25, day => day.statusReads],
  ['Submit', 3.5, day => day.submits],
  ['Complete', 4.5, day => day.completes],
  ['Validate', 4.5, day => day.validations],
  ['4xx', 3, day => day.clientErrors],
  ['429', 3.25, day => day.rateLimited],
]

/** "All 3 · Start 1 · Status 2", where the columns don't fit. */
function inWords(day: Day): string {
  const words = counts.map(([header, , count]) => count(day) > 0 && `${header}\u00a0${formatNumber(count(day))}`)
  return words.filter(Boolean).join(' · ')
}

const dayColumns: Column<Day>[] = [
  { header: 'Day', width: 4, cardArea: 'day', render: ({ day }) => formatDay(day) },
  { header: 'Requests', width: 0, cardArea: 'words', render: inWords },
  ...counts.map(([header, width, count]) => {
    return { header, width, alignEnd: true, render: (day: Day) => formatNumber(count(day)) }
  }),
]
