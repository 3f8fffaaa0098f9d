import { ActionIcon, Button, Group, Text, VisuallyHidden } from '@mantine/core'
import { onlineManager, type UseQueryResult } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useDeferredValue, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { describeError, retryDelayMs, toConsoleError } from './console-error.ts'
import { formatClockTime, formatElapsed } from './dates.ts'
import { ErrorAlert } from './error-alert.tsx'
import { Icon } from './icon.tsx'
import { useNow, useSecondsLeft } from './timestamp.tsx'

interface Props<Data> {
  query: UseQueryResult<Data, unknown>
  /** Of `usePolling`, where the data is refreshed regularly: how old it is, and a button that pauses it. */
  polling?: Polling | undefined
  /** Placeholders of the same size as the data. */
  loading: ReactNode
  children: (data: Data) => ReactNode
}

/**
 * Shows a query: placeholders while it loads, with a word where an attempt failed; then an error, or the data, which
 * is never stale without saying so. Data of other input, from `placeholderData: keepPreviousData`, has to look like
 * that: pass `query.isPlaceholderData` to what shows it, which dims it and sets `aria-busy`.
 */
export function QueryState<Data>({ query, polling, loading, children }: Props<Data>) {
  const { data, error, failureCount, refetch } = query
  // The first data is most of a page, and drawn in slices, between which the browser reacts.
  const isDrawn = useDeferredValue(data !== undefined)
  if (data === undefined && error) return <ErrorAlert error={error} onRetry={refetch} />
  return (
    <>
      <Freshness query={query} polling={polling} />
      {data === undefined && failureCount > 0 && <Retrying query={query} />}
      {data === undefined || !isDrawn ? loading : children(data)}
    </>
  )
}

function Retrying({ query: { failureCount, failureReason } }: { query: AnyQuery }) {
  const seconds = useSecondsLeft(failureReason, retryDelayMs(failureCount - 1, failureReason) / 1_000)
  return (
    <Text role="status">
      {describeError(toConsoleError(failureReason)).title}. Retrying{' '}
      <span aria-hidden>{seconds > 0 ? `in ${seconds} s …` : 'now …'}</span>
    </Text>
  )
}

type AnyQuery = UseQueryResult<unknown, unknown>

/** The place for it beside the title of the page. */
export const FreshnessPlace = createContext<HTMLElement | null>(null)

/**
 * How old polled data is, beside the page's title, where it moves nothing; above other data, only that it can't be
 * refreshed.
 */
function Freshness({ query, polling }: Pick<Props<unknown>, 'query' | 'polling'>) {
  const place = useContext(FreshnessPlace)
  const hasData = query.data !== undefined
  if (hasData && (query.error !== null || query.failureCount > 0)) {
    const notUpdated = <NotUpdated query={query} isRetried={Boolean(polling?.refetchInterval)} />
    return polling && place ? createPortal(notUpdated, place) : notUpdated
  }
  if (!hasData || !polling || !place || (polling.refetchInterval === false && !polling.isPaused)) return null
  return createPortal(<Updated query={query} polling={polling} />, place)
}

function NotUpdated({ query, isRetried }: { query: AnyQuery; isRetried: boolean }) {
  const isOnline = useOnline()
  const { dataUpdatedAt, isFetching, isPlaceholderData, refetch } = query
  return (
    <Group gap="0.375rem" mih="1.5rem" c="var(--attention-text)">
      <Icon name="alert-triangle" size={16} />
      <Text size="xs" role="status">
        {!isOnline && 'You are offline. '}
        {isPlaceholderData ? 'Not loaded yet. ' : `Not updated since ${formatClockTime(dataUpdatedAt)}. `}
        {isOnline && (isRetried || isFetching) && 'Retrying …'}
      </Text>
      <Button variant="subtle" size="compact-xs" loading={isFetching} onClick={() => refetch()}>
        Refresh
      </Button>
    </Group>
  )
}

function Updated({ query, polling }: { query: AnyQuery; polling: Polling }) {
  const now = useNow(1_000)
  const { isPaused, setPaused } = polling
  const { dataUpdatedAt, isPlaceholderData } = query
  const age = `Updated ${formatElapsed(Math.min(dataUpdatedAt, now), now)}`
  return (
    <Group gap="0.375rem" mih="1.5rem" c="dimmed">
      <Text size="xs" visibleFrom="xs">
        {isPaused && 'Paused. '}
        {isPlaceholderData ? 'Loading …' : age}
      </Text>
      <ActionIcon variant="subtle" color="gray" size="md" onClick={() => setPaused(!isPaused)}>
        <Icon name={isPaused ? 'player-play' : 'player-pause'} size={14} />
        <VisuallyHidden>{isPaused ? 'Resume updates' : 'Pause updates'}</VisuallyHidden>
      </ActionIcon>
    </Group>
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

/** Whether the browser is connected to a network. The service can still be unreachable. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    listener => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )
}
