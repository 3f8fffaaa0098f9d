import type { ProviderOutcome, ProviderResult } from '#domain/provider-result.ts'
import { startVerification } from '#domain/verification/start-verification.ts'
import type { Fixture } from './fixture.ts'
import { providerResult } from './scripted-provider.ts'

export interface OneVerification {
  tenantId: string
  verificationId: string
  providerSessionId: string
  /** A result of the provider for it. */
  result(outcome: ProviderOutcome, more?: Partial<ProviderResult>): ProviderResult
}

/** Starts a verification. */
export async function startOne(fixture: Fixture, tenantId: string): Promise<OneVerification> {
  const { verificationId, sessionUrl } = await startVerification(fixture.tenant(tenantId), {})
  const providerSessionId = sessionUrl.slice(sessionUrl.lastIndexOf('/') + 1)
  const ids = { vendorData: verificationId, providerSessionId }
  return {
    tenantId,
    verificationId,
    providerSessionId,
    result: (outcome, more) => providerResult(outcome, { ...ids, ...more }),
  }
}
