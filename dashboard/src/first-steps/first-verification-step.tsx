import { Anchor, Skeleton, Text } from '@mantine/core'
import { Link } from 'react-router'
import { RefusalAlert } from '../feedback/refusal-alert.tsx'
import { When } from '../time/when.tsx'
import { StatusBadge } from '../verifications/status-badge.tsx'
import { Step } from './step.tsx'
import { useLatestVerification } from './use-latest-verification.ts'

export function FirstVerification() {
  const { data, error, refetch } = useLatestVerification()
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
