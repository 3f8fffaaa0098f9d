import { Anchor, Code, Progress, Text } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import { ActionButton } from '../components/action-button.tsx'
import { Badge } from '../components/badge.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { formatNumber } from '../components/format-number.ts'
import { RowAction, RowActions } from '../components/row-action.tsx'
import { besideList } from '../components/side-panel.tsx'
import { NoTime, Timestamp } from '../components/timestamp.tsx'
import type { ApiKey } from './api-key.ts'
import { attentionOf } from './attention.ts'
import { keyLinkId, keySearch } from './key-in-url.ts'

interface Props {
  rows: readonly ApiKey[] | undefined
  isPlaceholder: boolean
  /** Why the user can't change keys. */
  disabledReason: string | undefined
  onReplace: (key: ApiKey) => void
  onRevoke: (key: ApiKey) => void
}

export function LiveKeyTable({ rows, isPlaceholder, ...actions }: Props) {
  const most = Math.max(...(rows ?? []).map(key => key.requests30Days))
  const requests: Column<ApiKey> = {
    header: 'Requests, 30 days',
    width: 7.5,
    render: key => <RequestBar count={key.requests30Days} most={most} />,
  }
  return (
    <DataTable
      label="API keys"
      columns={[nameColumn, scopesColumn, requests, ...useColumns, actionsColumn(actions)]}
      rows={rows}
      rowKey={key => key.apiKeyId}
      loadingRows={3}
      isPlaceholder={isPlaceholder}
    />
  )
}

/** Keys that were revoked or have expired; they leave the list 90 days later. */
export function EndedKeyTable({ rows, isPlaceholder }: Pick<Props, 'rows' | 'isPlaceholder'>) {
  return (
    <DataTable
      label="Ended API keys"
      columns={[nameColumn, scopesColumn, ...endColumns]}
      rows={rows}
      rowKey={key => key.apiKeyId}
      loadingRows={3}
      isPlaceholder={isPlaceholder}
    />
  )
}

const nowrap = { whiteSpace: 'nowrap' } as const

const nameColumn: Column<ApiKey> = {
  header: 'Key',
  width: 10.5,
  lines: 2,
  render: key => <Name apiKey={key} />,
}

const scopesColumn: Column<ApiKey> = {
  header: 'Scopes',
  width: 8.5,
  lines: 3,
  render: ({ scopes }) =>
    scopes.map(scope => (
      <Text key={scope} inherit style={nowrap}>
        {scope}
      </Text>
    )),
}

const useColumns: Column<ApiKey>[] = [
  { header: 'Last used', width: 6.25, render: key => <TimestampOrNever at={key.lastUsedAt} /> },
  { header: 'Expires', width: 6.25, render: key => <TimestampOrNever at={key.expiresAt} /> },
]

const endColumns: Column<ApiKey>[] = [
  { header: 'Last used', width: 6, render: key => <TimestampOrNever at={key.lastUsedAt} /> },
  {
    header: 'Ended',
    width: 12,
    lines: 2,
    render: ({ state, revokedAt, expiresAt }) => (
      <div>
        <Badge tone={state === 'revoked' ? 'denied' : 'neutral'}>
          {state === 'revoked' ? 'Revoked' : 'Expired'}
        </Badge>
        <div>
          <TimestampOrNever at={revokedAt ?? expiresAt} />
        </div>
      </div>
    ),
  },
]

function actionsColumn({
  disabledReason,
  onReplace,
  onRevoke,
}: Pick<Props, 'disabledReason' | 'onReplace' | 'onRevoke'>): Column<ApiKey> {
  return {
    header: 'Actions',
    width: 6,
    headerHidden: true,
    alignEnd: true,
    render: key => (
      <RowActions>
        <ActionButton
          disabledReason={disabledReason}
          variant="subtle"
          size="compact-sm"
          aria-label={`Replace ${key.name} (${key.displayStart}…)`}
          onClick={() => onReplace(key)}
        >
          Replace
        </ActionButton>
        <RowAction
          disabledReason={disabledReason}
          aria-label={`Revoke ${key.name} (${key.displayStart}…)`}
          onClick={() => onRevoke(key)}
        >
          Revoke
        </RowAction>
      </RowActions>
    ),
  }
}

/** A number of requests with a bar, as long as it is compared to `most`. */
function RequestBar({ count, most }: { count: number; most: number }) {
  return (
    <div>
      <Text inherit>{formatNumber(count)}</Text>
      <Progress value={most > 0 ? (100 * count) / most : 0} size="sm" aria-hidden />
    </div>
  )
}

function Name({ apiKey }: { apiKey: ApiKey }) {
  const { apiKeyId, name, displayStart, state } = apiKey
  const { search } = useLocation()
  const attention = state === 'active' ? attentionOf(apiKey, Date.now()) : undefined
  return (
    <div>
      <Anchor
        component={Link}
        id={keyLinkId(apiKeyId)}
        to={{ search: keySearch(search, apiKeyId) }}
        state={besideList}
        preventScrollReset
        inherit
        fw={500}
      >
        {name}
      </Anchor>
      <div>
        <Code style={nowrap}>{displayStart}…</Code>
      </div>
      {attention && <Badge tone="attention">{attention}</Badge>}
    </div>
  )
}

function TimestampOrNever({ at }: { at: string | null }) {
  return at ? <Timestamp at={at} /> : <NoTime>Never</NoTime>
}
