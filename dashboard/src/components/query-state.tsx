import { Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { toConsoleError } from '../trpc/console-error.ts'
import { retryDelayMs } from '../trpc/query-client.ts'
import { describeError } from './describe-error.ts'
import { ErrorAlert } from './error-alert.tsx'
import { Freshness, type Polling } from './freshness.tsx'
import { useSecondsLeft } from './use-now.ts'

interface Props<Data> {
  query: UseQueryResult<Data, unknown>
  /** Of `usePolling`, where the data is refreshed regularly. */
  polling?: Polling
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
  if (data === undefined && error) return <ErrorAlert error={error} onRetry={refetch} />
  return (
    <>
      <Freshness query={query} polling={polling} />
      {data === undefined && failureCount > 0 && <Retrying query={query} />}
      {data === undefined ? loading : children(data)}
    </>
  )
}

function Retrying({
  query,
}: {
  query: Pick<UseQueryResult<unknown, unknown>, 'failureCount' | 'failureReason'>
}) {
  const { failureCount, failureReason } = query
  const seconds = useSecondsLeft(failureReason, retryDelayMs(failureCount - 1, failureReason) / 1_000)
  return (
    <Text size="sm" role="status">
      {describeError(toConsoleError(failureReason)).title}. Retrying{' '}
      <span aria-hidden>{seconds > 0 ? `in ${seconds} s …` : 'now …'}</span>
    </Text>
  )
}
