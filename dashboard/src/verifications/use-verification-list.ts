import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { usePolling } from '../components/query-state.tsx'
import { type Outputs, useTrpc } from '../trpc/trpc.ts'
import type { filterInput } from './filters.ts'

type ListPage = Outputs['verifications']['list']

export const pageSize = 50
/** Of the newest page only; older pages rarely change. */
const refreshMs = 10_000

interface Options {
  input: ReturnType<typeof filterInput>
  cursor: string | undefined
  enabled: boolean
}

/**
 * A page of the list. The newest one refreshes itself and keeps its rows in place: those that are shown are updated, and
 * none comes or goes until the user asks for it.
 */
export function useVerificationList({ input, cursor, enabled }: Options) {
  const { list } = useTrpc().verifications
  const queryClient = useQueryClient()
  const polling = usePolling(cursor ? false : refreshMs)
  const { refetchInterval } = polling
  const pageInput = { limit: pageSize, ...input, ...(cursor && { cursor }) }
  const query = useQuery(list.queryOptions(pageInput, { enabled, refetchInterval, placeholderData: keepPreviousData }))
  const { data: latest, isPlaceholderData: isPlaceholder, isFetching } = query

  const listKey = JSON.stringify(pageInput)
  const [shown, setShown] = useState<{ listKey: string; page: ListPage }>()
  const isShown = shown?.listKey === listKey
  const page = isShown || isPlaceholder ? (shown?.page ?? latest) : latest
  if (latest && !isPlaceholder) {
    const next = isShown ? updatedPage(shown.page, latest) : isFetching ? undefined : latest
    if (next && next !== shown?.page) setShown({ listKey, page: next })
  }
  return {
    query,
    polling,
    /** Changes with the filters and the page. */
    listKey,
    /** Undefined until it is loaded. */
    page,
    /** The page is that of other filters or another cursor, until the right one is loaded. */
    isPlaceholder,
    /** Newer rows that are not shown, up to a page of them. */
    newRows: isShown && latest ? countNewer(latest, shown.page) : 0,
    /** Whether the newest page has other rows than those that are shown. */
    isChanged: isShown && latest !== undefined && idsOf(latest) !== idsOf(shown.page),
    latestId: latest?.items[0]?.verificationId,
    /** At once, as the user has erased what it showed. */
    removeRow: (id: string) => {
      const without = (page: ListPage) => ({ ...page, items: page.items.filter(row => row.verificationId !== id) })
      queryClient.setQueryData(list.queryKey(pageInput), data => data && without(data))
      if (shown) setShown({ listKey, page: without(shown.page) })
    },
    showLatest: () => latest && setShown({ listKey, page: latest }),
  }
}

/** The page with its rows as they are now; the same object if none has changed. A page without rows takes the first. */
function updatedPage(page: ListPage, latest: ListPage): ListPage {
  if (page.items.length === 0) return latest
  const rows = new Map(latest.items.map(row => [row.verificationId, row]))
  const items = page.items.map(row => rows.get(row.verificationId) ?? row)
  return items.some((row, index) => row !== page.items[index]) ? { ...page, items } : page
}

/** IDs are ordered by time. */
function countNewer(latest: ListPage, page: ListPage): number {
  const first = page.items[0]?.verificationId
  return first === undefined ? 0 : latest.items.filter(row => row.verificationId > first).length
}

function idsOf({ items }: ListPage): string {
  return items.map(row => row.verificationId).join()
}
