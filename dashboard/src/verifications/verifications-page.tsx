import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useConsole } from '../console/console.ts'
import { RefusalAlert } from '../feedback/refusal-alert.tsx'
import { Page } from '../page/page.tsx'
import { Pager } from '../table/pager.tsx'
import { usePaging } from '../table/use-paging.ts'
import { VerificationPanel } from './detail/verification-panel.tsx'
import { FilterBar } from './filter-bar.tsx'
import { filterInput, isFiltered, searchFault, useFilters } from './filters.ts'
import { NoMatch } from './no-match.tsx'
import { NoVerifications } from './no-verifications.tsx'
import { VerificationTable } from './verification-table.tsx'

const pageSize = 25
/** The newest page keeps itself up to date; older ones hardly change. */
const refreshMs = 10_000

export function VerificationsPage() {
  const filtering = useFilters()
  const paging = usePaging()
  const { filters } = filtering
  const input = { limit: pageSize, ...filterInput(filters), ...(paging.cursor && { cursor: paging.cursor }) }
  const { data, error, refetch } = useQuery({
    ...useConsole().verifications.list.queryOptions(input),
    enabled: searchFault(filters.search) === undefined,
    placeholderData: keepPreviousData,
    ...(!paging.cursor && { refetchInterval: refreshMs }),
  })
  return (
    <Page title="Verifications" description="Every age check of your users, the newest first.">
      <FilterBar {...filtering} />
      {error && !data ? (
        <RefusalAlert error={error} onRetry={refetch} />
      ) : data?.items.length === 0 ? (
        isFiltered(filters) || paging.cursor ? (
          <NoMatch onClear={filtering.clear} />
        ) : (
          <NoVerifications />
        )
      ) : (
        <VerificationTable label="Verifications" rows={data?.items} />
      )}
      <Pager paging={paging} nextCursor={data?.nextCursor} label="Pages of verifications" />
      <VerificationPanel />
    </Page>
  )
}
