import type { UseQueryResult } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { DataTable } from './data-table.tsx'
import { Pager, SearchedUntil, type usePaging } from './pager.tsx'
import { QueryState } from './query-state.tsx'

interface Rows<Row> {
  items: Row[]
  nextCursor: string | null
  /** How far back they were searched, if that is not all. */
  searchedUntil?: string | null
}

interface Props<Row>
  extends Omit<ComponentProps<typeof DataTable<Row>>, 'rows' | 'isPlaceholder'>,
    Pick<ComponentProps<typeof Pager>, 'order'> {
  query: UseQueryResult<Rows<Row>, unknown>
  paging: ReturnType<typeof usePaging>
  /** Instead of a table without rows. */
  empty: ReactNode
}

/** A list that is read page by page. */
export function PagedTable<Row>({ query, paging, empty, order, ...props }: Props<Row>) {
  const { data, isPlaceholderData } = query
  const { nextCursor, searchedUntil } = data ?? {}
  const table = <DataTable {...props} rows={data?.items} isPlaceholder={isPlaceholderData} />
  return (
    <>
      <QueryState query={query} loading={table}>
        {({ items }) => (items.length > 0 ? table : !searchedUntil && empty)}
      </QueryState>
      {searchedUntil && nextCursor && (
        <SearchedUntil
          at={searchedUntil}
          isEmpty={data?.items.length === 0}
          onContinue={() => paging.showNext(nextCursor)}
        />
      )}
      <Pager
        paging={paging}
        nextCursor={nextCursor}
        label={`Pages: ${props.label}`}
        isPlaceholder={isPlaceholderData}
        {...(order && { order })}
      />
    </>
  )
}
