import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useAnnouncedResult } from '../components/announcer.tsx'
import { zoneName } from '../components/dates.ts'
import { InvalidFilters, NoResults } from '../components/empty-state.tsx'
import { Page } from '../components/page.tsx'
import { PagedTable } from '../components/paged-table.tsx'
import { usePaging } from '../components/pager.tsx'
import { timeProblem } from '../components/time-fields.tsx'
import { ExportButton } from '../exports/export-button.tsx'
import { memberName } from '../settings/members/roles.tsx'
import { useTrpc } from '../trpc/trpc.ts'
import { auditColumns, cardTemplate } from './audit-table.tsx'
import { EventPanel } from './event-panel.tsx'
import { FilterBar } from './filter-bar.tsx'
import { filterInput, useAuditFilters } from './filters.ts'

const pageSize = 50

export function AuditLogPage() {
  const { audit, members } = useTrpc()
  const paging = usePaging()
  const filtering = useAuditFilters()
  const { filters, clear } = filtering
  const input = filterInput(filters)
  const problem = filters.period ? undefined : timeProblem(filters)
  // Read anew whenever the page is opened, or its tab is looked at again: it has to contain what the user has just done.
  const query = useQuery(
    audit.list.queryOptions(
      { limit: pageSize, cursor: paging.cursor, ...input },
      { placeholderData: keepPreviousData, staleTime: 0, enabled: !problem },
    ),
  )
  // Others are shown by their subjects.
  const { data: named } = useQuery(members.list.queryOptions({ limit: 100 }))
  const { data, isPlaceholderData } = query
  useAnnouncedResult(
    JSON.stringify([input, paging.cursor]),
    data && !isPlaceholderData ? `${data.items.length === 0 ? 'No' : data.items.length} events.` : undefined,
  )
  const nameOf = useMemo(() => {
    const names = new Map(named?.items.map(member => [member.subject, memberName(member)]))
    return (subject: string) => names.get(subject)
  }, [named])
  const columns = useMemo(() => auditColumns(nameOf), [nameOf])
  return (
    <Page
      title="Audit log"
      description={`All changes to this tenant and access to its secrets, newest first. Times in ${zoneName()}.`}
      actions={
        <ExportButton
          name="audit"
          filters={input}
          words={Object.values(filters).filter(Boolean).join('-')}
          disabled={problem !== undefined}
        />
      }
    >
      <FilterBar {...filtering} members={named?.items ?? []} />
      {problem ? (
        <InvalidFilters {...problem} />
      ) : (
        <PagedTable
          label="Audit log"
          query={query}
          paging={paging}
          columns={columns}
          rowKey={row => row.auditEventId}
          loadingRows={10}
          cardTemplate={cardTemplate}
          empty={<NoResults onClear={clear} />}
        />
      )}
      <EventPanel events={data?.items ?? []} memberName={nameOf} />
    </Page>
  )
}
