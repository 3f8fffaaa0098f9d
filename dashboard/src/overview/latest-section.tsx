import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useConsole } from '../console/console.ts'
import { RefusalAlert } from '../feedback/refusal-alert.tsx'
import { Section } from '../page/section.tsx'
import { NoVerifications } from '../verifications/no-verifications.tsx'
import { VerificationTable } from '../verifications/verification-table.tsx'

const rowsShown = 5
const refreshMs = 10_000

export function LatestSection() {
  const { data, error, refetch } = useQuery({
    ...useConsole().verifications.list.queryOptions({ limit: rowsShown }),
    refetchInterval: refreshMs,
  })
  return (
    <Section
      title="Latest verifications"
      actions={
        <Anchor component={Link} to="/verifications" size="sm">
          All verifications
        </Anchor>
      }
    >
      {error && !data ? (
        <RefusalAlert error={error} onRetry={refetch} />
      ) : data?.items.length === 0 ? (
        <NoVerifications />
      ) : (
        <VerificationTable label="Latest verifications" rows={data?.items} loadingRows={rowsShown} />
      )}
    </Section>
  )
}
