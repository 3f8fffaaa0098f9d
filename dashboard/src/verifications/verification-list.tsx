import { Button, Text } from '@mantine/core'
import { useDeferredValue, useEffect, useMemo } from 'react'
import { flushSync } from 'react-dom'
import { useHref, useNavigate, useSearchParams } from 'react-router'
import { announce, useAnnouncedResult } from '../components/announcer.tsx'
import { zoneName } from '../components/dates.ts'
import { InvalidFilters, NoResults } from '../components/empty-state.tsx'
import { Icon } from '../components/icon.tsx'
import { PagedTable } from '../components/paged-table.tsx'
import { usePaging } from '../components/pager.tsx'
import { besideList } from '../components/side-panel.tsx'
import { TenantLink } from '../session/links.tsx'
import { useTenantPath } from '../session/session-context.ts'
import { VerificationPanel } from './detail/verification-panel.tsx'
import { countFilters, type filterInput, type problemOf } from './filters.ts'
import { NoVerifications } from './no-verifications.tsx'
import type { useFilters } from './use-filters.ts'
import { pageSize, useVerificationList } from './use-verification-list.ts'
import classes from './verification-table.module.css'
import { cardTemplate, linkIdOf, type RowLinks, verificationColumns } from './verification-table.tsx'
import { viewQuery } from './views.ts'

type List = ReturnType<typeof useVerificationList>

interface Props {
  filtering: ReturnType<typeof useFilters>
  input: ReturnType<typeof filterInput>
  problem: ReturnType<typeof problemOf>
}

/** What is drawn again when rows arrive: the list, whether newer ones came, and the panel beside it. */
export function VerificationList({ filtering: { filters, clear }, input, problem }: Props) {
  const { period, from, to, by, zone } = filters
  const paging = usePaging()
  const list = useVerificationList({ input, cursor: paging.cursor, enabled: problem === undefined })
  const { query, polling, listKey, page, isPlaceholder } = list
  const ids = page?.items.map(row => row.verificationId) ?? []
  useAnnouncedResult(listKey, page && !isPlaceholder ? summaryOf(page) : undefined)
  const links = useRowLinks()
  const columns = useMemo(() => verificationColumns(by, zone, links), [by, zone, links])
  const isRestricted = countFilters(filters) > 0 || paging.cursor !== undefined
  return (
    <>
      {problem ? (
        <InvalidFilters {...problem} />
      ) : (
        <>
          <NewRows list={list} />
          <PagedTable
            label="Verifications"
            query={query}
            page={page}
            polling={polling}
            paging={paging}
            columns={columns}
            rowKey={row => row.verificationId}
            loadingRows={10}
            cardTemplate={cardTemplate}
            empty={isRestricted ? <NoResults onClear={clear} /> : <NoVerifications />}
          >
            {ids.length > 0 && page && (
              <Text size="xs" c="dimmed">
                {summaryOf(page)} {by === 'completed' && 'In order of creation. '}Times in {zoneName(zone)}.{' '}
                {(period ?? from ?? to) && (by === 'created' || zone === 'local') && (
                  <TenantLink to={`/verifications?${viewQuery({ ...filters, by: 'completed', zone: 'utc' })}`}>
                    The overview counts by completion, in UTC.
                  </TenantLink>
                )}
              </Text>
            )}
          </PagedTable>
        </>
      )}
      <VerificationPanel zone={zone} ids={ids} onErased={list.removeRow} />
    </>
  )
}

/** The list stays behind the panel, with its query. */
function useRowLinks(): RowLinks {
  const navigate = useNavigate()
  const path = useTenantPath()('/verifications')
  const href = useHref(path)
  // The links follow after the page has drawn what was clicked.
  const query = useDeferredValue(String(useSearchParams()[0]))
  return useMemo(
    () => ({
      hrefOf: id => `${href}/${id}${query && `?${query}`}`,
      open: id => navigate(`${path}/${id}${window.location.search}`, besideList),
    }),
    [navigate, path, href, query],
  )
}

function summaryOf({ items, nextCursor, searchedUntil }: NonNullable<List['page']>): string {
  const count = items.length === 0 ? 'No results' : `${items.length} verification${items.length === 1 ? '' : 's'}`
  if (searchedUntil) return `${count} so far. Older ones are not searched yet.`
  return nextCursor ? `${count}. There are older ones.` : `${count}.`
}

/** Lies over the list while it differs from what is shown: rows come and go only when the user asks for it. */
function NewRows({ list: { newRows, isChanged, latestId, showLatest } }: { list: List }) {
  const count = newRows === pageSize ? `${newRows} or more` : newRows
  const label = newRows > 0 ? `${count} new` : isChanged && 'Some no longer match'
  useEffect(() => {
    if (label) announce(`${label}.`)
  }, [label])
  if (!label) return null
  const show = () => {
    flushSync(showLatest)
    window.scrollTo({ top: 0 })
    if (latestId) document.getElementById(linkIdOf(latestId))?.focus({ preventScroll: true })
  }
  return (
    <div className={classes.newRows}>
      <Button size="xs" radius="xl" leftSection={<Icon name="arrow-up" size={14} />} onClick={show}>
        {label}
      </Button>
    </div>
  )
}
