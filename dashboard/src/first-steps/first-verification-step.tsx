import { Anchor, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ErrorAlert } from '../components/error-alert.tsx'
import { Timestamp } from '../components/timestamp.tsx'
import { useTenantPath } from '../session/tenant-path.ts'
import { useTrpc } from '../trpc/trpc.ts'
import { VerificationResult } from '../verifications/verification-result.tsx'
import { Step } from './step.tsx'

export function FirstVerificationStep() {
  const toPath = useTenantPath()
  const { data, error, refetch } = useLatestVerification()
  const latest = data?.items[0]
  return (
    <Step
      title={latest ? 'Your first verification has started' : 'Waiting for your first verification'}
      state={latest ? 'done' : 'waiting'}
    >
      {error && !data && <ErrorAlert error={error} onRetry={refetch} />}
      <div role="status">
        {latest ? (
          <Text size="sm" component="div">
            <Anchor
              component={Link}
              to={toPath(`/verifications/${latest.verificationId}`)}
              size="sm"
              underline="always"
            >
              {latest.verificationId}
            </Anchor>{' '}
            <VerificationResult verification={latest} /> started <Timestamp at={latest.createdAt} />. Open the
            sessionUrl from the response to go through the check as a user.
          </Text>
        ) : data ? (
          <Text size="sm" c="dimmed">
            It appears here automatically after you run the command above.
          </Text>
        ) : (
          !error && <Skeleton height={44} />
        )}
      </div>
    </Step>
  )
}

const refreshMs = 2_000

export function useLatestVerification() {
  return useQuery({
    ...useTrpc().verifications.list.queryOptions({ limit: 1 }),
    refetchInterval: refreshMs,
  })
}
