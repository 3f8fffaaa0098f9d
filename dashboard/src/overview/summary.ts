import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Days } from '../components/periods.ts'
import { type Outputs, useTrpc } from '../trpc/trpc.ts'

export type Summary = Outputs['usage']['summary']

const refreshMs = 30_000

/** The numbers of a time range. Those of the one before stay until they are loaded. */
export function useSummary(days: Days) {
  const { summary } = useTrpc().usage
  return useQuery(summary.queryOptions(days, { placeholderData: keepPreviousData, refetchInterval: refreshMs }))
}
