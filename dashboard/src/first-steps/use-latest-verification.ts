import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../console/console.ts'

const refreshMs = 2_000

/** Looks every two seconds until a verification is there, and then at what becomes of it. */
export function useLatestVerification() {
  return useQuery({
    ...useConsole().verifications.list.queryOptions({ limit: 1 }),
    refetchInterval: refreshMs,
  })
}
