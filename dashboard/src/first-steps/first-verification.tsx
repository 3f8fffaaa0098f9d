import { Anchor, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useConsole } from '../console/console.ts'
import { RefusalAlert } from '../feedback/refusal-alert.tsx'
import { When } from '../time/when.tsx'
import { StatusBadge } from '../verifications/status-badge.tsx'
import { Step } from './step.tsx'

const refreshMs = 2_000

/** Looks every two seconds until a verification is there, and then at what becomes of it. */
export function FirstVerification() {
  const { data, error, refetch } = useQuery({
    ...useConsole().verifications.list.queryOptions({ limit: 1 }),
    refetchInterval: refreshMs,
  })
  const latest = data?.items[0]
  return (
    <Step
      title={latest ? 'Your first verification is here' : 'Waiting for your first verification'}
      state={latest ? 'done' : 'waiting'}
    >
      {error && !data && <RefusalAlert error={error} onRetry={refetch} />}
      <div role="status">
        {latest ? (
          <Text size="sm" component="div">
            <Anchor
              component={Link}
              to={`/verifications/${latest.verificationId}`}
              size="sm"
              underline="always"
            >
              {latest.verificationId}
            </Anchor>{' '}
            <StatusBadge status={latest.status} /> started <When at={latest.createdAt} />. Open its sessionUrl
            to go through the check as your user would.
          </Text>
        ) : data ? (
          <Text size="sm" c="dimmed">
            It appears here by itself once the request above is made.
          </Text>
        ) : (
          !error && <Skeleton height={44} />
        )}
      </div>
    </Step>
  )
}
