import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Outputs, useConsole } from '../../console/console.ts'
import { CopyableText } from '../../copy/copyable-text.tsx'
import { FactList } from '../../facts/fact-list.tsx'
import { RefusalAlert } from '../../feedback/refusal-alert.tsx'
import { When } from '../../time/when.tsx'
import { StatusBadge } from '../status-badge.tsx'
import { formatConfidence } from '../verification-table.tsx'
import { StatusTimeline } from './status-timeline.tsx'
import { TokenSection } from './token-section.tsx'

const refreshMs = 5_000

export function VerificationDetail({ verificationId }: { verificationId: string }) {
  const { data, error, refetch } = useQuery({
    ...useConsole().verifications.get.queryOptions({ verificationId }),
    refetchInterval: ({ state }) => (state.data?.completedAt ? false : refreshMs),
  })
  if (error && !data) return <RefusalAlert error={error} onRetry={refetch} />
  if (!data) return <Skeleton height={320} />
  return (
    <Stack gap="lg">
      <FactList facts={factsOf(data)} />
      <StatusTimeline verification={data} />
      <TokenSection verification={data} />
    </Stack>
  )
}

function factsOf({
  verificationId,
  status,
  confidence,
  createdAt,
  completedAt,
}: Outputs['verifications']['get']) {
  return [
    { name: 'Id', value: <CopyableText value={verificationId} label="verification id" /> },
    { name: 'Status', value: <StatusBadge status={status} /> },
    { name: 'Confidence', value: formatConfidence(confidence) },
    { name: 'Created', value: <When at={createdAt} seconds /> },
    { name: 'Completed', value: completedAt ? <When at={completedAt} seconds /> : 'Not yet' },
  ]
}
