import { Code, Group, Text } from '@mantine/core'
import { Badge } from '../components/badge.tsx'
import type { Column } from '../components/data-table.tsx'
import { ParameterPanelLink } from '../components/parameter-panel.tsx'
import { serviceTime } from '../components/service-clock.ts'
import { DayOf, NoValue, RelativeTime } from '../components/timestamp.tsx'
import { type ApiKey, creatorName, scopes } from './api-key.ts'
import { describeAttention } from './attention.ts'
import { KeyState } from './key-drawer.tsx'

const nameColumn: Column<ApiKey> = { header: 'Key', width: 15, lines: 2, render: key => <Name apiKey={key} /> }

/** Without their nouns, which tell none apart from another. */
const scopesColumn: Column<ApiKey> = {
  header: 'Scopes',
  width: 6,
  render: ({ scopes: granted }) =>
    granted.length === scopes.length ? 'All' : granted.map(scope => scope.replace(/.*:/, '')).join(', '),
}

const lastUsedColumn: Column<ApiKey> = {
  header: 'Last used',
  width: 5.25,
  render: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime at={lastUsedAt} /> : <NoValue>Never</NoValue>),
}

export const keyColumns: Record<'live' | 'ended', Column<ApiKey>[]> = {
  live: [
    nameColumn,
    scopesColumn,
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

function Name({ apiKey }: { apiKey: ApiKey }) {
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
