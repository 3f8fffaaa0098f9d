import { Code, Group, Text } from '@mantine/core'
import { Badge } from '../components/badge.tsx'
import type { Column } from '../components/data-table.tsx'
import { formatNumber, formatShare } from '../components/format-number.ts'
import { ParameterPanelLink } from '../components/parameter-panel.tsx'
import { serviceTime } from '../components/service-clock.ts'
import { DayOf, NoValue, RelativeTime } from '../components/timestamp.tsx'
import { creatorName, type ListedKey, scopes } from './api-key.ts'
import { countFailed, describeAttention, isFailing } from './attention.ts'
import { DailyBars, KeyState } from './key-drawer.tsx'

const nameColumn: Column<ListedKey> = { header: 'Key', width: 15, lines: 2, render: key => <Name apiKey={key} /> }

/** Without their nouns, which tell none apart from another. */
const scopesColumn: Column<ListedKey> = {
  header: 'Scopes',
  width: 6,
  render: ({ scopes: granted }) =>
    granted.length === scopes.length ? 'All' : granted.map(scope => scope.replace(/.*:/, '')).join(', '),
}

const lastUsedColumn: Column<ListedKey> = {
  header: 'Last used',
  width: 5.25,
  render: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime at={lastUsedAt} /> : <NoValue>Never</NoValue>),
}

export const keyColumns: Record<'live' | 'ended', Column<ListedKey>[]> = {
  live: [
    nameColumn,
    scopesColumn,
    {
      header: 'Requests, 30 d',
      width: 7.5,
      render: ({ requests30Days, dailyRequests = [] }) => (
        <Group gap="xs" wrap="nowrap">
          <Text span inherit miw="2.5rem">
            {formatNumber(requests30Days)}
          </Text>
          <DailyBars counts={dailyRequests} height="1.25rem" />
        </Group>
      ),
    },
    { header: 'Failed', width: 5.25, render: key => <Failed apiKey={key} /> },
    lastUsedColumn,
    { header: 'Expires', width: 6, render: key => <DayOf at={key.expiresAt} /> },
  ],
  ended: [
    nameColumn,
    scopesColumn,
    lastUsedColumn,
    {
      header: 'Ended',
      width: 12,
      render: key => (
        <Group gap="0.5rem">
          <KeyState apiKey={key} />
          <DayOf at={(key.revokedAt ?? key.expiresAt)!} />
        </Group>
      ),
    },
  ],
}

/** The share of requests that failed. Their kinds are in the key's panel, by day. */
function Failed({ apiKey }: { apiKey: ListedKey }) {
  if (apiKey.requests30Days === 0) return <NoValue>–</NoValue>
  const share = formatShare(countFailed(apiKey), apiKey.requests30Days)
  return isFailing(apiKey) ? <Badge tone="attention">{share}</Badge> : <span>{share}</span>
}

function Name({ apiKey }: { apiKey: ListedKey }) {
  const { apiKeyId, name, displayStart, state } = apiKey
  const attention = state === 'active' ? describeAttention(apiKey, serviceTime()) : undefined
  const creator = creatorName(apiKey)
  return (
    <>
      <Group gap="0.5rem" wrap="nowrap">
        <ParameterPanelLink parameter="key" id={apiKeyId} fw={500} truncate title={name}>
          {name}
        </ParameterPanelLink>
        {attention && <Badge tone="attention">{attention}</Badge>}
      </Group>
      <Text inherit c="dimmed" truncate title={creator && `Created by ${creator}`}>
        <Code>{displayStart}…</Code>
        {creator && ` · ${creator}`}
      </Text>
    </>
  )
}
