import { useParams } from 'react-router'
import { Page } from '../components/page.tsx'
import { serviceTime } from '../components/service-clock.ts'
import { ExportButton } from '../exports/export-button.tsx'
import { FilterBar } from './filter-bar.tsx'
import { filterInput, problemOf } from './filters.ts'
import { useFilters } from './use-filters.ts'
import { VerificationList } from './verification-list.tsx'
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
      <VerificationList filtering={filtering} input={input} problem={problem} />
    </Page>
  )
}
