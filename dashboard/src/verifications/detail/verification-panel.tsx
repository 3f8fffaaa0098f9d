import { Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import { CopyableText } from '../../components/copyable-text.tsx'
import type { Zone } from '../../components/dates.ts'
import { InvalidFilters } from '../../components/empty-state.tsx'
import { QueryState } from '../../components/query-state.tsx'
import { Neighbours, SidePanel, useClosePanel, useFocusAfterClosing } from '../../components/side-panel.tsx'
import { useTenantPath } from '../../session/session-context.ts'
import { type Outputs, useTrpc } from '../../trpc/trpc.ts'
import { findId } from '../pasted-id.ts'
import { formatConfidence, formatTaken, linkIdOf } from '../verification-table.tsx'
import { Erased, EraseVerification, type Erasure } from './erasure.tsx'
import { Explanation } from './explanation.tsx'
import { Timeline } from './timeline.tsx'
import { TokenSection } from './token-section.tsx'
import { WebhookEvent } from './webhook-event.tsx'

interface Props {
  zone: Zone
  /** Of the list beside it, in its order. */
  ids: readonly string[]
  /** Called once one is erased, with its ID. */
  onErased: (verificationId: string) => unknown
}

/** Shows the verification that the page's URL names beside the list. */
export function VerificationPanel({ zone, ids, onErased }: Props) {
  const { verificationId } = useParams()
  const { search, state } = useLocation()
  const navigate = useNavigate()
  const toPath = useTenantPath()
  const close = useClosePanel({ pathname: toPath('/verifications'), search })
  const show = (id: string) =>
    navigate({ pathname: toPath(`/verifications/${id}`), search }, { replace: true, preventScrollReset: true, state })
  useFocusAfterClosing(verificationId && linkIdOf(verificationId))
  return (
    <SidePanel opened={verificationId !== undefined} onClose={close} title="Verification" zone={zone}>
      {verificationId && (
        <Stack gap="lg">
          <Group justify="space-between" gap="xs">
            <CopyableText value={verificationId} label="verification ID" />
            <Neighbours ids={ids} shown={verificationId} onShow={show} />
          </Group>
          <VerificationDetail key={verificationId} verificationId={verificationId} onErased={onErased} />
        </Stack>
      )}
    </SidePanel>
  )
}

const refreshMs = 5_000

function VerificationDetail({ verificationId, onErased }: Pick<Props, 'onErased'> & { verificationId: string }) {
  const [erasure, setErasure] = useState<Erasure>()
  const isId = findId(verificationId) !== undefined
  const query = useQuery(
    useTrpc().verifications.get.queryOptions(
      { verificationId },
      { refetchInterval: ({ state }) => (isFinal(state.data) ? false : refreshMs), enabled: isId && !erasure },
    ),
  )
  const showErasure = (erasure: Erasure) => {
    setErasure(erasure)
    onErased(verificationId)
  }
  if (!isId) return <InvalidFilters title="This is not a verification ID" text="Copy the whole link or ID again." />
  if (erasure) return <Erased erasure={erasure} />
  return (
    <QueryState query={query} loading={<Skeleton height={320} />}>
      {verification => (
        <>
          <Explanation verification={verification} />
          {verification.completedAt && (
            <Text c="dimmed">
              Took {formatTaken(verification)} · Confidence {formatConfidence(verification.confidence)}
            </Text>
          )}
          <Timeline verification={verification} />
          <WebhookEvent verification={verification} />
          <TokenSection verification={verification} />
          <EraseVerification verification={verification} onErased={showErasure} />
        </>
      )}
    </QueryState>
  )
}

/** Completed, with nothing left to learn about its event. */
function isFinal(verification: Outputs['verifications']['get'] | undefined): boolean {
  const { completedAt, delivery } = verification ?? {}
  return Boolean(completedAt) && (!delivery || ['delivered', 'failed'].includes(delivery.state))
}
