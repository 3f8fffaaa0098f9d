import { Button, Group, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Icon } from './icon.tsx'
import { formatClockTime, formatElapsed } from './timestamp.tsx'
import { useNow } from './use-now.ts'
import { useOnline } from './use-online.ts'

type FreshnessQuery = Pick<
  UseQueryResult<unknown, unknown>,
  'data' | 'dataUpdatedAt' | 'error' | 'failureCount' | 'isFetching' | 'refetch'
>

interface Props {
  query: FreshnessQuery
  /** Of data that is refreshed regularly: how old it is, and a button that pauses it. */
  polling?: Polling | undefined
}

/**
 * One line above data: how old it is, or that it can't be refreshed. Polled data always has the line, so that nothing
 * moves when its text changes; other data only while a refresh fails.
 */
export function Freshness({ query, polling }: Props) {
  const hasData = query.data !== undefined
  if (hasData && (query.error !== null || query.failureCount > 0)) {
    return <NotUpdated query={query} isRetried={isActive(polling)} />
  }
  if (!polling || (polling.refetchInterval === false && !polling.isPaused)) return null
  return <Line>{hasData && <Updated at={query.dataUpdatedAt} polling={polling} />}</Line>
}

function isActive(polling: Polling | undefined): boolean {
  return polling !== undefined && polling.refetchInterval !== false
}

function NotUpdated({ query, isRetried }: { query: FreshnessQuery; isRetried: boolean }) {
  const isOnline = useOnline()
  const { dataUpdatedAt, isFetching, refetch } = query
  return (
    <Line color="var(--attention-text)">
      <Icon name="alert-triangle" size={16} />
      <Text size="xs" role="status">
        {!isOnline && 'You are offline. '}
        {`Not updated since ${formatClockTime(dataUpdatedAt)}. `}
        {isOnline && (isRetried || isFetching) && 'Retrying …'}
      </Text>
      <Button variant="subtle" size="compact-xs" loading={isFetching} onClick={() => refetch()}>
        Refresh
      </Button>
    </Line>
  )
}

function Line({ color = 'dimmed', children }: { color?: string; children: ReactNode }) {
  return (
    <Group gap="0.375rem" mih="1.5rem" c={color}>
      {children}
    </Group>
  )
}

function Updated({ at, polling: { isPaused, setPaused } }: { at: number; polling: Polling }) {
  const now = useNow(1_000)
  return (
    <>
      <Text size="xs" c="dimmed">
        {isPaused && 'Paused. '}Updated {formatElapsed(Math.min(at, now), now)}
      </Text>
      <Button
        variant="subtle"
        size="compact-xs"
        leftSection={<Icon name={isPaused ? 'player-play' : 'player-pause'} size={12} />}
        onClick={() => setPaused(!isPaused)}
      >
        {isPaused ? 'Resume updates' : 'Pause updates'}
      </Button>
    </>
  )
}

export interface Polling {
  /** For `refetchInterval`. */
  refetchInterval: number | false
  isPaused: boolean
  setPaused: (isPaused: boolean) => void
}

/** A refresh interval that the user can pause. Pass false where the data no longer changes. */
export function usePolling(intervalMs: number | false): Polling {
  const [isPaused, setPaused] = useState(false)
  return { refetchInterval: isPaused ? false : intervalMs, isPaused, setPaused }
}
