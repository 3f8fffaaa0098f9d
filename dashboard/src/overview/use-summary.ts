import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Outputs, useTrpc } from '../trpc/trpc.ts'
import type { Polling } from '../trpc/use-polling.ts'
import type { Days } from './time-range.ts'

export type Summary = Outputs['usage']['summary']

/** The metrics of the days and of as many before them; those of the days shown last while others load. */
export function useSummary(days: Days, { refetchInterval }: Polling) {
  return useQuery(
    useTrpc().usage.summary.queryOptions(days, {
      placeholderData: keepPreviousData,
      refetchInterval,
    }),
  )
}
