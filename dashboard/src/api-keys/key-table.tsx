import { Anchor, Code, Group, Progress, Text } from '@mantine/core'
import { Fragment } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Badge } from '../components/badge.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { formatNumber, formatShare } from '../components/format-number.ts'
import { ActionMenu, actionsColumn } from '../components/row-action.tsx'
import { RowLink } from '../components/row-link.tsx'
import { serviceTime } from '../components/service-clock.ts'
import { besideList } from '../components/side-panel.tsx'
import { DayOf, NoValue, RelativeTime } from '../components/timestamp.tsx'
import { type ApiKey, creatorName, scopes } from './api-key.ts'
import { countFailed, describeAttention, isFailing } from './attention.ts'
import { keyLinkId, keySearch } from './key-drawer.tsx'

interface Actions {
  /** Why the user can't change keys. */
  disabledReason: string | undefined
  onReplace: (key: ApiKey) => void
  onRevoke: (key: ApiKey) => void
}

export function LiveKeyTable({ rows, ...actions }: Actions & { rows: readonly ApiKey[] | undefined }) {
  const most = Math.max(...(rows ?? []).map(key => key.requests30Days))
  const requests: Column<ApiKey> = {
    header: 'Requests, 30 d',
    width: 6.25,
    render: key => <RequestBar count={key.requests30Days} most={most} />,
  }
  return (
    <DataTable
      label="API keys"
      columns={[nameColumn, scopesColumn, requests, ...activityColumns, menuColumn(actions)]}
      rows={rows}
      rowKey={key => key.apiKeyId}
      loadingRows={3}
    />
  )
}

const nameColumn: Column<ApiKey> = {
  header: 'Key',
  width: 14.5,
  lines: 2,
  render: key => <Name apiKey={key} />,
}

const scopesColumn: Column<ApiKey> = {
  header: 'Scopes',
  width: 6,
  render: ({ scopes: granted }) =>
    granted.length === scopes.length
      ? 'All'
      : granted
          .join(', ')
          .split(/(?<=:)/)
          .map(breakable),
}

/** Text after which a line can end. A character that says so would be copied with it. */
const breakable = (part: string) => (
  <Fragment key={part}>
    {part}
    <wbr />
  </Fragment>
)

const failedColumn: Column<ApiKey> = { header: 'Failed', width: 4, render: key => <Failed apiKey={key} /> }

const lastUsedColumn: Column<ApiKey> = {
  header: 'Last used',
  width: 5.25,
  render: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime at={lastUsedAt} /> : <NoValue>Never</NoValue>),
}

const expiresColumn: Column<ApiKey> = {
  header: 'Expires',
  width: 6,
  render: ({ expiresAt }) => (expiresAt ? <DayOf at={expiresAt} /> : <NoValue>Never</NoValue>),
}

const endColumn: Column<ApiKey> = {
  header: 'Ended',
  width: 12,
  render: ({ state, revokedAt, expiresAt }) => {
    const endedAt = revokedAt ?? expiresAt
    return (
      <Group gap="0.5rem">
        {state === 'revoked' ? <Badge tone="denied">Revoked</Badge> : <Badge tone="neutral">Expired</Badge>}
        {endedAt && <DayOf at={endedAt} />}
      </Group>
    )
  },
}

const activityColumns = [failedColumn, lastUsedColumn, expiresColumn]

/** Of keys that were revoked or have expired; they leave the list 90 days later. */
export const endedColumns = [nameColumn, scopesColumn, lastUsedColumn, endColumn]

function menuColumn({ disabledReason, onReplace, onRevoke }: Actions): Column<ApiKey> {
  return {
    ...actionsColumn,
    render: key => (
      <ActionMenu
        label={`${key.name} (${key.displayStart}…)`}
        disabledReason={disabledReason}
        actions={[
          { label: 'Replace …', onClick: () => onReplace(key) },
          { label: 'Revoke …', isDestructive: true, onClick: () => onRevoke(key) },
        ]}
      />
    ),
  }
}

/** A number of requests with a bar, as long as it is compared to `most`. */
function RequestBar({ count, most }: { count: number; most: number }) {
  return (
    <div style={{ width: '100%' }}>
      <Text inherit>{formatNumber(count)}</Text>
      {count > 0 && <Progress value={(100 * count) / most} size="xs" aria-hidden />}
    </div>
  )
}

/** The share of requests that failed. Their kinds are in the key's panel, by day. */
function Failed({ apiKey }: { apiKey: ApiKey }) {
  if (apiKey.requests30Days === 0) return <NoValue>–</NoValue>
  const share = formatShare(countFailed(apiKey), apiKey.requests30Days)
  return isFailing(apiKey) ? <Badge tone="attention">{share}</Badge> : <span>{share}</span>
}

function Name({ apiKey }: { apiKey: ApiKey }) {
  const { apiKeyId, name, displayStart, state } = apiKey
  const navigate = useNavigate()
  const query = `?${keySearch(useLocation().search, apiKeyId)}`
  const attention = state === 'active' ? describeAttention(apiKey, serviceTime()) : undefined
  const creator = creatorName(apiKey)
  return (
    <>
      <Group gap="0.5rem" wrap="nowrap">
        <Anchor
          component={RowLink}
          id={keyLinkId(apiKeyId)}
          href={query}
          onOpen={() => navigate({ search: query }, { state: besideList, preventScrollReset: true })}
          inherit
          fw={500}
          truncate
          title={name}
        >
          {name}
        </Anchor>
        {attention && <Badge tone="attention">{attention}</Badge>}
      </Group>
      <Text inherit c="dimmed" truncate title={creator && `Created by ${creator}`}>
        <Code>{displayStart}…</Code>
        {creator && ` · ${creator}`}
      </Text>
    </>
  )
}
