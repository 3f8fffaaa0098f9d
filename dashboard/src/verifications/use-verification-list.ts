import { keepPreviousData, useQuery } from '@tanstack/react-query'
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
  const polling = usePolling(cursor ? false : refreshMs)
  const { refetchInterval } = polling
  const pageInput = { limit: pageSize, ...input, ...(cursor && { cursor }) }
  const query = useQuery(
    list.queryOptions(pageInput, { enabled, refetchInterval, placeholderData: keepPreviousData }),
  )
  const { data: latest, isPlaceholderData: isPlaceholder, isFetching } = query

  const listKey = JSON.stringify(pageInput)
  const [shown, setShown] = useState<{ listKey: string; page: ListPage }>()
  const isShown = shown?.listKey === listKey
  const page = isShown || isPlaceholder ? (shown?.page ?? latest) : latest
  const newRows = isShown && latest ? countNewer(latest, shown.page) : 0

  // Newer rows push those that are shown out of the newest page.
  const first = page?.items[0]?.verificationId
  const below = useQuery(
    list.queryOptions(
      { limit: pageSize, ...input, cursor: first && cursorBefore(first) },
      { enabled: enabled && newRows > 0, refetchInterval },
    ),
  )
  const now = newRows > 0 ? below.data : latest
  if (latest && !isPlaceholder) {
    const next = isShown ? updatedPage(shown.page, latest, now) : isFetching ? undefined : latest
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
    newRows,
    /** Shown rows that the filters no longer match. */
    removedRows: isShown && now ? countRemoved(shown.page, now) : 0,
    latestId: latest?.items[0]?.verificationId,
    /** At once, as the user has erased what it showed. */
    removeRow: (id: string) =>
      shown &&
      setShown({
        listKey,
        page: { ...shown.page, items: shown.page.items.filter(row => row.verificationId !== id) },
      }),
    showLatest: () => latest && setShown({ listKey, page: latest }),
  }
}

/** The page with its rows as they are now; the same object if none has changed. A page without rows takes the first. */
function updatedPage(page: ListPage, latest: ListPage, now: ListPage = latest): ListPage {
  if (page.items.length === 0) return latest
  const rows = new Map([...now.items, ...latest.items].map(row => [row.verificationId, row]))
  const items = page.items.map(row => rows.get(row.verificationId) ?? row)
  return items.some((row, index) => row !== page.items[index]) ? { ...page, items } : page
}

/** IDs are ordered by time. */
function countNewer(latest: ListPage, page: ListPage): number {
  const first = page.items[0]?.verificationId
  return first === undefined ? 0 : latest.items.filter(row => row.verificationId > first).length
}

/** Rows that are missing from a page that goes beyond them. */
function countRemoved(page: ListPage, now: ListPage): number {
  const remaining = new Set(now.items.map(row => row.verificationId))
  const end = now.nextCursor === null ? '' : (now.items.at(-1)?.verificationId ?? '')
  return page.items.filter(({ verificationId: id }) => id >= end && !remaining.has(id)).length
}

/** A cursor whose page begins with this verification. */
function cursorBefore(verificationId: string): string {
  const next = (BigInt(`0x${verificationId.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0')
  return next.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
