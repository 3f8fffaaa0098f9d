import type { UseQueryResult } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { DataTable } from './data-table.tsx'
import { useKeys } from './keys.ts'
import { Pager, SearchedUntil } from './pager.tsx'
import { QueryState } from './query-state.tsx'

interface Rows<Row> {
  items: Row[]
  nextCursor: string | null
  /** How far back they were searched, if that is not all. */
  searchedUntil?: string | null
}

interface Props<Row>
  extends Omit<ComponentProps<typeof DataTable<Row>>, 'rows' | 'isPlaceholder'>,
    Pick<ComponentProps<typeof QueryState>, 'polling'>,
    Pick<ComponentProps<typeof Pager>, 'paging'> {
  query: UseQueryResult<Rows<Row>, unknown>
  /** What is shown of the query; its data by default. */
  page?: Rows<Row> | undefined
  /** Instead of a table without rows. */
  empty: ReactNode
  /** Below the rows, and drawn with them. */
  children?: ReactNode
}

/** `j` and `k` move the focus to the next and the previous row, whose link Enter opens. Not in fields and dialogs. */
function useRowKeys(): void {
  const move = (step: 1 | -1) => {
    if (document.querySelector('[role=dialog]')) return
    const links = [...document.querySelectorAll<HTMLElement>('[data-row-link]')]
    const current = links.indexOf(document.activeElement as HTMLElement)
    links[current === -1 ? 0 : current + step]?.focus()
  }
  useKeys({ j: () => move(1), k: () => move(-1) })
}

/** A list that is read page by page. */
export function PagedTable<Row>({ query, page, polling, paging, empty, children, ...table }: Props<Row>) {
  useRowKeys()
  const isPlaceholder = query.isPlaceholderData || paging.isPending
  // Rows of other filters say nothing while the right ones can't be loaded.
  const isOffline = query.isPlaceholderData && query.fetchStatus === 'paused'
  return (
    <QueryState query={query} polling={polling} loading={<DataTable {...table} rows={undefined} />}>
      {data => {
        const { items, nextCursor, searchedUntil } = page ?? data
        const isEmpty = items.length === 0
        return (
          <>
            {!isEmpty || (isPlaceholder && !searchedUntil) ? (
              <DataTable {...table} rows={isEmpty || isOffline ? undefined : items} isPlaceholder={isPlaceholder} />
            ) : (
              !searchedUntil && empty
            )}
            {searchedUntil && nextCursor && (
              <SearchedUntil
                key={searchedUntil}
                at={searchedUntil}
                isEmpty={isEmpty}
                onContinue={() => (isEmpty ? paging.searchOn(nextCursor) : paging.showNext(nextCursor))}
              />
            )}
            <Pager
              paging={paging}
              nextCursor={searchedUntil ? null : nextCursor}
              label={`Pages: ${table.label}`}
              isPlaceholder={isPlaceholder}
            />
            {children}
          </>
        )
      }}
    </QueryState>
  )
}
