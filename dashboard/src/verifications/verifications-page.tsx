import { Text } from '@mantine/core'
import { useParams, useSearchParams } from 'react-router'
import { zoneName } from '../components/dates.ts'
import { EmptyState, NoResults } from '../components/empty-state.tsx'
import { Page } from '../components/page.tsx'
import { usePaging } from '../components/pager.tsx'
import { serviceTime } from '../components/service-clock.ts'
import { ExportButton } from '../exports/export-button.tsx'
import { VerificationPanel } from './detail/verification-panel.tsx'
import { FilterBar } from './filter-bar.tsx'
import { countFilters, type FilterProblem, filterInput, problemOf } from './filters.ts'
import { useFilters } from './use-filters.ts'
import { useVerificationList } from './use-verification-list.ts'
import { VerificationList } from './verification-list.tsx'
import { NoVerifications } from './verification-table.tsx'
import { fileNameWords } from './views.ts'

export function VerificationsPage() {
  const filtering = useFilters()
  const { verificationId } = useParams()
  const { filters } = filtering
  const problem = problemOf(filters)
  const input = filterInput(filters, new Date(serviceTime()))
  return (
    <Page
      title="Verifications"
      documentTitle={verificationId && `Verification ${verificationId.slice(-8)}`}
      description={
        // Of a width that leaves no room for the button on phones, whether the list was updated or not.
        <Text span inherit display="block" miw="15.5rem">
          {filters.by === 'completed' ? 'In order of creation, newest first' : 'Newest first'}. Times in{' '}
          {zoneName(filters.zone)}.
        </Text>
      }
      actions={
        <ExportButton
          name="verifications"
          filters={input}
          words={fileNameWords(filters)}
          disabled={problem !== undefined}
        />
      }
    >
      <FilterBar filtering={filtering} problem={problem} />
      <ListAndPanel filtering={filtering} input={input} problem={problem} />
    </Page>
  )
}

interface Props {
  filtering: ReturnType<typeof useFilters>
  input: ReturnType<typeof filterInput>
  problem: FilterProblem | undefined
}

/** What is drawn again when rows arrive. */
function ListAndPanel({ filtering: { filters, clear }, input, problem }: Props) {
  const paging = usePaging()
  const [params] = useSearchParams()
  const list = useVerificationList({ input, cursor: paging.cursor, enabled: problem === undefined })
  const isRestricted = countFilters(filters) > 0 || paging.cursor !== undefined
  return (
    <>
      {problem ? (
        <div role="alert">
          <EmptyState icon="filter-off" title={problem.title} description={problem.text} />
        </div>
      ) : (
        <VerificationList
          list={list}
          paging={paging}
          listQuery={params.toString()}
          filters={filters}
          empty={isRestricted ? <NoResults onClear={clear} /> : <NoVerifications />}
        />
      )}
      <VerificationPanel ids={list.page?.items.map(row => row.verificationId) ?? []} />
    </>
  )
}
