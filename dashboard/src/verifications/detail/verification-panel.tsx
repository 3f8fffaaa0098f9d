import { Button, Group, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate, useParams } from 'react-router'
import { CopyableText } from '../../components/copyable-text.tsx'
import { DescriptionList } from '../../components/description-list.tsx'
import { useKeys } from '../../components/keys.ts'
import { QueryState } from '../../components/query-state.tsx'
import {
  SidePanel,
  useClosePanel,
  useFocusAfterClosing,
  useLastDefined,
} from '../../components/side-panel.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useTenantPath } from '../../session/session-context.ts'
import { type Outputs, useTrpc } from '../../trpc/trpc.ts'
import { formatConfidence, linkIdOf } from '../verification-table.tsx'
import { Explanation } from './explanation.tsx'
import { ErasureNote, Integration } from './integration.tsx'
import { Timeline } from './timeline.tsx'
import { TokenSection } from './token-section.tsx'

interface Props {
  /** Of the list beside it, in its order. */
  ids: readonly string[]
}

/** Shows the verification that the page's URL names beside the list. */
export function VerificationPanel({ ids }: Props) {
  const { verificationId } = useParams()
  const { search } = useLocation()
  const close = useClosePanel({ pathname: useTenantPath()('/verifications'), search })
  const shownId = useLastDefined(verificationId)
  useFocusAfterClosing(verificationId && linkIdOf(verificationId))
  return (
    <SidePanel opened={verificationId !== undefined} onClose={close} title="Verification" returnFocus={false}>
      {shownId && (
        <Stack gap="lg">
          <Neighbours verificationId={shownId} ids={ids} />
          <VerificationDetail key={shownId} verificationId={shownId} />
        </Stack>
      )}
    </SidePanel>
  )
}

/** The ID, and the way to the verifications before and after it in the list: also by `k` and `j`. */
function Neighbours({ verificationId, ids }: Props & { verificationId: string }) {
  const toPath = useTenantPath()
  const navigate = useNavigate()
  const { search, state } = useLocation()
  const index = ids.indexOf(verificationId)
  const [previous, next] = index === -1 ? [] : [ids[index - 1], ids[index + 1]]
  const show = (id: string | undefined) => {
    const options = { replace: true, preventScrollReset: true, state }
    if (id) navigate({ pathname: toPath(`/verifications/${id}`), search }, options)
  }
  useKeys({ j: () => show(next), k: () => show(previous) })
  return (
    <Group justify="space-between" gap="xs">
      <CopyableText value={verificationId} label="verification ID" />
      <Group gap="xs">
        <Step label="Previous" id={previous} onStep={show} />
        <Step label="Next" id={next} onStep={show} />
      </Group>
    </Group>
  )
}

interface StepProps {
  label: string
  id: string | undefined
  onStep: (id: string) => void
}

/** Keeps the focus at the end of the list. */
function Step({ label, id, onStep }: StepProps) {
  const enabled = id ? { onClick: () => onStep(id) } : { 'data-disabled': true, 'aria-disabled': true }
  return (
    <Button variant="default" size="compact-xs" {...enabled}>
      {label}
    </Button>
  )
}

const refreshMs = 5_000

function VerificationDetail({ verificationId }: { verificationId: string }) {
  const query = useQuery(
    useTrpc().verifications.get.queryOptions(
      { verificationId },
      { refetchInterval: ({ state }) => (isFinal(state.data) ? false : refreshMs) },
    ),
  )
  return (
    <QueryState query={query} loading={<Skeleton height={320} />}>
      {verification => (
        <>
          <Explanation verification={verification} />
          <DescriptionList items={itemsOf(verification)} />
          <Timeline verification={verification} />
          <Integration verification={verification} />
          <TokenSection verification={verification} />
          <ErasureNote />
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

function itemsOf({ confidence, createdAt, completedAt }: Outputs['verifications']['get']) {
  return [
    { name: 'Created', value: <Timestamp at={createdAt} seconds /> },
    { name: 'Completed', value: completedAt ? <Timestamp at={completedAt} seconds /> : 'Not yet' },
    { name: 'Confidence', value: formatConfidence(confidence) },
  ]
}
