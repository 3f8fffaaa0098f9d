import { Drawer, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { CopyableText } from '../../components/copyable-text.tsx'
import { DescriptionList } from '../../components/description-list.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useTenantPath } from '../../session/tenant-path.ts'
import { type Outputs, useTrpc } from '../../trpc/trpc.ts'
import { StatusBadge } from '../status.tsx'
import { formatConfidence } from '../verification-table.tsx'
import { Timeline } from './timeline.tsx'
import { TokenSection } from './token-section.tsx'

/** Shows the verification that the page's URL names beside the list. */
export function VerificationPanel() {
  const { verificationId } = useParams()
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const toPath = useTenantPath()
  const shownId = useLastDefined(verificationId)
  const close = () => navigate({ pathname: toPath('/verifications'), search: params.toString() })
  return (
    <Drawer
      opened={verificationId !== undefined}
      onClose={close}
      position="right"
      size="lg"
      title="Verification"
    >
      {shownId && <VerificationDetail verificationId={shownId} />}
    </Drawer>
  )
}

/** Keeps the content while the panel closes. */
function useLastDefined(value: string | undefined): string | undefined {
  const [last, setLast] = useState(value)
  useEffect(() => {
    if (value !== undefined) setLast(value)
  }, [value])
  return value ?? last
}

const refreshMs = 5_000

function VerificationDetail({ verificationId }: { verificationId: string }) {
  const { data, error, refetch } = useQuery({
    ...useTrpc().verifications.get.queryOptions({ verificationId }),
    refetchInterval: ({ state }) => (state.data?.completedAt ? false : refreshMs),
  })
  if (error && !data) return <ErrorAlert error={error} onRetry={refetch} />
  if (!data) return <Skeleton height={320} />
  return (
    <Stack gap="lg">
      <DescriptionList items={itemsOf(data)} />
      <Timeline verification={data} />
      <TokenSection verification={data} />
    </Stack>
  )
}

function itemsOf(verification: Outputs['verifications']['get']) {
  const { verificationId, status, confidence, createdAt, completedAt } = verification
  return [
    { name: 'ID', value: <CopyableText value={verificationId} label="verification ID" /> },
    { name: 'Status', value: <StatusBadge status={status} /> },
    { name: 'Confidence', value: formatConfidence(confidence) },
    { name: 'Created', value: <Timestamp at={createdAt} seconds /> },
    { name: 'Completed', value: completedAt ? <Timestamp at={completedAt} seconds /> : 'Not yet' },
  ]
}
