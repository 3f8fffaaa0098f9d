import { Group, Skeleton, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useParams } from 'react-router'
import { CopyableText } from '../../components/copyable-text.tsx'
import { DescriptionList } from '../../components/description-list.tsx'
import { QueryState } from '../../components/query-state.tsx'
import {
  SidePanel,
  useClosePanel,
  useFocusAfterClosing,
  useLastDefined,
} from '../../components/side-panel.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useTenantPath } from '../../session/tenant-path.ts'
import { type Outputs, useTrpc } from '../../trpc/trpc.ts'
import { VerificationResult } from '../verification-result.tsx'
import { formatConfidence, formatOver18, linkIdOf } from '../verification-table.tsx'
import { Explanation } from './explanation.tsx'
import { Timeline } from './timeline.tsx'
import { TokenSection } from './token-section.tsx'

/** Shows the verification that the page's URL names beside the list. */
export function VerificationPanel() {
  const { verificationId } = useParams()
  const { search } = useLocation()
  const close = useClosePanel({ pathname: useTenantPath()('/verifications'), search })
  const shownId = useLastDefined(verificationId)
  useFocusAfterClosing(verificationId && linkIdOf(verificationId))
  return (
    <SidePanel opened={verificationId !== undefined} onClose={close} title="Verification" returnFocus={false}>
      {shownId && <VerificationDetail verificationId={shownId} />}
    </SidePanel>
  )
}

const refreshMs = 5_000

function VerificationDetail({ verificationId }: { verificationId: string }) {
  const query = useQuery(
    useTrpc().verifications.get.queryOptions(
      { verificationId },
      { refetchInterval: ({ state }) => (state.data?.completedAt ? false : refreshMs) },
    ),
  )
  return (
    <Stack gap="lg">
      <QueryState query={query} loading={<Skeleton height={320} />}>
        {verification => (
          <>
            <Group justify="space-between" align="flex-start">
              <Title order={3}>
                18 or over:{' '}
                {verification.completedAt ? formatOver18(verification).toLowerCase() : 'not decided yet'}
              </Title>
              <VerificationResult verification={verification} />
            </Group>
            <Explanation verification={verification} />
            <DescriptionList items={itemsOf(verification)} />
            <Timeline verification={verification} />
            <TokenSection verification={verification} />
          </>
        )}
      </QueryState>
    </Stack>
  )
}

function itemsOf(verification: Outputs['verifications']['get']) {
  const { verificationId, confidence, createdAt, completedAt } = verification
  return [
    { name: 'ID', value: <CopyableText value={verificationId} label="verification ID" /> },
    { name: 'Created', value: <Timestamp at={createdAt} seconds /> },
    { name: 'Completed', value: completedAt ? <Timestamp at={completedAt} seconds /> : 'Not yet' },
    { name: 'Confidence', value: formatConfidence(confidence) },
  ]
}
