import type { ReactNode } from 'react'
import { useAnnouncedResult } from '../components/announcer.tsx'
import { Pager, type usePaging } from '../components/pager.tsx'
import { QueryState } from '../components/query-state.tsx'
import { NewRows } from './new-rows.tsx'
import { SearchedUntil } from './searched-until.tsx'
import type { useVerificationList } from './use-verification-list.ts'
import classes from './verification-list.module.css'
import { VerificationTable } from './verification-table.tsx'

type List = ReturnType<typeof useVerificationList>

interface Props {
  list: List
  paging: ReturnType<typeof usePaging>
  /** The query of the list's URL. */
  listQuery: string
  /** Shown instead of a table without rows. */
  empty: ReactNode
}

/** The rows, whether newer ones came, how far back they were searched, and the further pages. */
export function VerificationList({ list, paging, listQuery, empty }: Props) {
  const { query, polling, listKey, page, isPlaceholder } = list
  useAnnouncedResult(listKey, page && !isPlaceholder ? summaryOf(page) : undefined)
  const isEmpty = page?.items.length === 0
  const table = (
    <VerificationTable
      label="Verifications"
      rows={isEmpty ? undefined : page?.items}
      isPlaceholder={isPlaceholder}
      listQuery={listQuery}
    />
  )
  const nextCursor = page?.nextCursor
  return (
    <>
      <QueryState query={query} polling={polling} loading={table}>
        {() => (
          <div className={classes.list}>
            <NewRows list={list} />
            {!isEmpty || isPlaceholder ? table : !page.searchedUntil && empty}
          </div>
        )}
      </QueryState>
      {page?.searchedUntil && nextCursor && !isPlaceholder && (
        <SearchedUntil
          at={page.searchedUntil}
          isEmpty={isEmpty}
          onContinue={() => paging.showNext(nextCursor)}
        />
      )}
      <Pager
        paging={paging}
        nextCursor={page?.searchedUntil ? null : nextCursor}
        label="Verification pages"
        isPlaceholder={isPlaceholder}
      />
    </>
  )
}

function summaryOf({ items, nextCursor, searchedUntil }: NonNullable<List['page']>): string {
  const count =
    items.length === 0 ? 'No results' : `${items.length} verification${items.length === 1 ? '' : 's'}`
  if (searchedUntil) return `${count} so far. Older ones are not searched yet.`
  return nextCursor ? `${count}. There are older ones.` : `${count}.`
}
