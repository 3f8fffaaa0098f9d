import { Text } from '@mantine/core'
import { useParams } from 'react-router'
import { zoneName } from '../components/dates.ts'
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
      description={
        // Of a width that leaves no room for the button on phones, whether the list was updated or not.
        <Text span inherit display="block" miw="min(15.5rem, 100%)">
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
      <VerificationList filtering={filtering} input={input} problem={problem} />
    </Page>
  )
}
