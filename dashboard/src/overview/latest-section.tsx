import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ErrorAlert } from '../components/error-alert.tsx'
import { Section } from '../components/page.tsx'
import { useTenantPath } from '../session/tenant-path.ts'
import { useTrpc } from '../trpc/trpc.ts'
import { NoVerifications, VerificationTable } from '../verifications/verification-table.tsx'

const rowsShown = 5
const refreshMs = 10_000

export function LatestSection() {
  const toPath = useTenantPath()
  const { data, error, refetch } = useQuery({
    ...useTrpc().verifications.list.queryOptions({ limit: rowsShown }),
    refetchInterval: refreshMs,
  })
  return (
    <Section
      title="Latest verifications"
      actions={
        <Anchor component={Link} to={toPath('/verifications')} size="sm">
          View all
        </Anchor>
      }
    >
      {error && !data ? (
        <ErrorAlert error={error} onRetry={refetch} />
      ) : data?.items.length === 0 ? (
        <NoVerifications />
      ) : (
        <VerificationTable label="Latest verifications" rows={data?.items} loadingRows={rowsShown} />
      )}
    </Section>
  )
}
