import { Button } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { EmptyState } from '../components/empty-state.tsx'
import { ErrorAlert } from '../components/error-alert.tsx'
import { Page } from '../components/page.tsx'
import { Pager, usePaging } from '../components/pager.tsx'
import { useTrpc } from '../trpc/trpc.ts'
import { VerificationPanel } from './detail/verification-panel.tsx'
import { FilterBar } from './filter-bar.tsx'
import { filterInput, isFiltered, useFilters, validateSearch } from './filters.ts'
import { NoVerifications, VerificationTable } from './verification-table.tsx'

const pageSize = 25
/** For the newest page only; older pages rarely change. */
const refreshMs = 10_000

export function VerificationsPage() {
  const filtering = useFilters()
  const paging = usePaging()
  const { filters } = filtering
  const input = { limit: pageSize, ...filterInput(filters), ...(paging.cursor && { cursor: paging.cursor }) }
  const { data, error, refetch } = useQuery({
    ...useTrpc().verifications.list.queryOptions(input),
    enabled: validateSearch(filters.search) === undefined,
    placeholderData: keepPreviousData,
    ...(!paging.cursor && { refetchInterval: refreshMs }),
  })
  return (
    <Page title="Verifications" description="Your users' age verifications, newest first.">
      <FilterBar {...filtering} />
      {error && !data ? (
        <ErrorAlert error={error} onRetry={refetch} />
      ) : data?.items.length === 0 ? (
        isFiltered(filters) || paging.cursor ? (
          <NoMatches onClear={filtering.clear} />
        ) : (
          <NoVerifications />
        )
      ) : (
        <VerificationTable label="Verifications" rows={data?.items} />
      )}
      <Pager paging={paging} nextCursor={data?.nextCursor} label="Verification pages" />
      <VerificationPanel />
    </Page>
  )
}

function NoMatches({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState Icon={IconFilterOff} title="No results" description="No verifications match these filters.">
      <Button variant="default" onClick={onClear}>
        Clear filters
      </Button>
    </EmptyState>
  )
}
