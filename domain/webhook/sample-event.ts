import { providerNames } from '../provider-result.ts'
import type { TenantScope } from '../scope.ts'
import { completedEvent, completedEventType } from './completed-event.ts'
import { eventHeaders } from './signature.policy.ts'

export interface SampleEvent {
  body: string
  headers: Record<string, string>
  /** The secret that signed it: public, and never valid for real events. */
  secret: string
}

const sampleSecret = 'whsec_example-secret-for-tests-of-your-receiver-0'

/** An event of the tenant as it is sent, always the same one, for testing a receiver by hand. */
export function sampleEvent({ actor: { tenantId } }: TenantScope): SampleEvent {
  const verification = {
    verificationId: '01a00000-0000-7000-8000-000000000000',
    status: 'approved',
    confidence: 0.98,
    provider: providerNames[0],
  } as const
  const body = completedEvent({ tenantId, ...verification }, new Date('2026-01-01T12:00:00.000Z'))
  return { body, headers: eventHeaders(completedEventType, body, sampleSecret), secret: sampleSecret }
}
