import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useAnnouncedResult } from '../components/announcer.tsx'
import { zoneName } from '../components/dates.ts'
import { EmptyState, NoResults } from '../components/empty-state.tsx'
import { Page } from '../components/page.tsx'
import { Pager, SearchedUntil, usePaging } from '../components/pager.tsx'
import { QueryState } from '../components/query-state.tsx'
import { ExportButton } from '../exports/export-button.tsx'
import { memberName } from '../settings/members/roles.tsx'
import { useTrpc } from '../trpc/trpc.ts'
import { AuditTable } from './audit-table.tsx'
import { FilterBar } from './filter-bar.tsx'
import { type AuditFilters, filterInput, isFiltered, isReversed, useAuditFilters } from './filters.ts'

const pageSize = 50

/** Members whose names are known to the filter and to targets. */
const namedMembers = 100

export function AuditLogPage() {
  const { audit, members } = useTrpc()
  const paging = usePaging()
  const filtering = useAuditFilters()
  const { filters, clear } = filtering
  const input = filterInput(filters)
  const isValid = !isReversed(filters)
  // Read anew whenever the page is opened: it has to contain what the user has just done.
  const query = useQuery(
    audit.list.queryOptions(
      { limit: pageSize, cursor: paging.cursor, ...input },
      { placeholderData: keepPreviousData, staleTime: 0, enabled: isValid },
    ),
  )
  const { data: named } = useQuery(members.list.queryOptions({ limit: namedMembers }))
  const items = named?.items ?? []
  const names = new Map(items.map(member => [member.subject, memberName(member)]))
  const { data, isPlaceholderData } = query
  useAnnouncedResult(
    JSON.stringify([input, paging.cursor]),
    data && !isPlaceholderData ? `${data.items.length === 0 ? 'No' : data.items.length} events.` : undefined,
  )
  const table = (
    <AuditTable
      rows={data?.items}
      isPlaceholder={isPlaceholderData}
      memberName={subject => names.get(subject)}
    />
  )
  return (
    <Page
      title="Audit log"
      description={`All changes to this tenant and access to its secrets, newest first. Times in ${zoneName()}.`}
      actions={<ExportButton name="audit" filters={input} disabled={!isValid} />}
    >
      <FilterBar {...filtering} members={items} />
      {isValid ? (
        <QueryState query={query} loading={table}>
          {({ items, searchedUntil }) =>
            items.length > 0 ? table : !searchedUntil && <NoEvents filters={filters} onClear={clear} />
          }
        </QueryState>
      ) : (
        <div role="alert">
          <EmptyState
            icon="filter-off"
            title="The first time is after the last"
            description="Choose a first time that is before the last one, or the same."
          />
        </div>
      )}
      {data?.searchedUntil && data.nextCursor && (
        <SearchedUntil
          at={data.searchedUntil}
          isEmpty={data.items.length === 0}
          onContinue={() => data.nextCursor && paging.showNext(data.nextCursor)}
        />
      )}
      <Pager
        paging={paging}
        nextCursor={data?.nextCursor}
        label="Audit log pages"
        isPlaceholder={isPlaceholderData}
      />
    </Page>
  )
}

function NoEvents({ filters, onClear }: { filters: AuditFilters; onClear: () => void }) {
  if (isFiltered(filters)) return <NoResults onClear={onClear} />
  return (
    <EmptyState
      icon="history"
      title="No events yet"
      description="Changes to API keys, settings, members and tokens will appear here."
    />
  )
}
