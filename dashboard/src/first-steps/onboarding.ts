import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../session/session-context.ts'
import { type Outputs, useTrpc } from '../trpc/trpc.ts'

export type Onboarding = Outputs['tenant']['onboarding']

/** In the order of the page. */
export const stepNames = ['key', 'start', 'complete', 'status', 'validate', 'webhook'] as const

export type StepName = (typeof stepNames)[number]

/** What has happened, so that it need not be done. */
export function stepsDone(onboarding: Onboarding): Record<StepName, boolean> {
  const { apiKey, keyUsedAt, firstVerification, firstCompletedAt, statusReadAt, tokenValidatedAt } =
    onboarding
  return {
    // The key of the first request may have been deleted since.
    key: apiKey !== null || keyUsedAt !== null,
    start: firstVerification !== null,
    complete: firstCompletedAt !== null,
    status: statusReadAt !== null,
    validate: tokenValidatedAt !== null,
    webhook: onboarding.webhookUrlSet,
  }
}

export function isDone(onboarding: Onboarding): boolean {
  return Object.values(stepsDone(onboarding)).every(done => done)
}

const minuteMs = 60_000
/** How often the page looks for progress: often while the developer is likely to be trying, and then not at all. */
const polling = { fastMs: 3_000, fastForMs: 3 * minuteMs, slowMs: 15_000, endMs: 20 * minuteMs }

/** The tenant's progress, up to date until it is complete or 20 minutes have passed. */
export function usePolledOnboarding() {
  const [openedMs] = useState(() => Date.now())
  return useQuery({
    ...useTrpc().tenant.onboarding.queryOptions(),
    refetchInterval: ({ state: { data } }) => {
      const elapsedMs = Date.now() - openedMs
      if ((data && isDone(data)) || elapsedMs > polling.endMs) return false
      return elapsedMs < polling.fastForMs ? polling.fastMs : polling.slowMs
    },
  })
}

/** Whether the user has hidden the first steps of the selected tenant, in this browser. */
export function useFirstStepsHidden() {
  const { membership } = useSession()
  return useLocalStorage({
    key: `age-verification.first-steps-hidden.${membership?.tenantId}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
}

/** A tenant with so many verifications this month needs no introduction. */
const establishedStarts = 100
const weekMs = 7 * 24 * 60 * minuteMs

/** Whether to offer the first steps: until they are done or hidden, and not to a tenant that has long been using the API. */
export function useOffersFirstSteps(): boolean {
  const { membership } = useSession()
  const [isHidden] = useFirstStepsHidden()
  const trpc = useTrpc()
  const options = { enabled: membership !== undefined && !isHidden, staleTime: minuteMs }
  const { data: onboarding } = useQuery({ ...trpc.tenant.onboarding.queryOptions(), ...options })
  const { data: usage } = useQuery({ ...trpc.usage.current.queryOptions(), ...options })
  if (!membership) return true
  if (isHidden || !onboarding || !usage) return false
  const { firstCompletedAt } = onboarding
  const isEstablished =
    usage.used >= establishedStarts ||
    (firstCompletedAt !== null && Date.parse(firstCompletedAt) < Date.now() - weekMs)
  return !isEstablished && !isDone(onboarding)
}
