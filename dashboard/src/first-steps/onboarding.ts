import { useQuery } from '@tanstack/react-query'
import { dayMs } from '../components/periods.ts'
import { serviceTime } from '../components/service-clock.ts'
import { useSession } from '../session/session-context.ts'
import { type Outputs, useTrpc } from '../trpc/trpc.ts'

export type Onboarding = Outputs['tenant']['onboarding']

/** In the order of the page. Nothing tells whether a result was read: it has samples, and is never done. */
export const stepTitles = {
  key: 'Create an API key',
  start: 'Start a verification',
  complete: 'Take the check',
  result: 'Read the result',
  webhook: 'Get webhook events',
}

export type StepName = keyof typeof stepTitles

export const stepNames = Object.keys(stepTitles) as StepName[]

/** What has happened, so that it need not be done. */
export function stepsDone(onboarding: Onboarding): Partial<Record<StepName, boolean>> {
  const { apiKey, keyUsedAt, firstVerification } = onboarding
  return {
    // The key of the first request may have been deleted since.
    key: apiKey !== null || keyUsedAt !== null,
    start: firstVerification !== null,
    complete: onboarding.firstCompletedAt !== null,
    webhook: onboarding.webhookAcceptedAt !== null,
  }
}

/** Undefined if all are done. */
export function nextStep(onboarding: Onboarding): StepName | undefined {
  const done = stepsDone(onboarding)
  return stepNames.find(name => done[name] === false)
}

const refreshMs = 1_000

/** The tenant's progress, up to date until it is complete. */
export function usePolledOnboarding() {
  return useQuery({
    ...useTrpc().tenant.onboarding.queryOptions(),
    refetchInterval: ({ state: { data } }) => (data && !nextStep(data) ? false : refreshMs),
  })
}

/** Whether to offer the first steps: until they are done, and for a week after the first result. */
export function useOffersFirstSteps(): boolean {
  const { membership } = useSession()
  const { data: onboarding } = useQuery({
    ...useTrpc().tenant.onboarding.queryOptions(),
    enabled: membership !== undefined,
    staleTime: 60_000,
  })
  if (!membership) return true
  if (!onboarding) return false
  const { firstCompletedAt } = onboarding
  const isEstablished = firstCompletedAt !== null && Date.parse(firstCompletedAt) < serviceTime() - 7 * dayMs
  return !isEstablished && nextStep(onboarding) !== undefined
}
