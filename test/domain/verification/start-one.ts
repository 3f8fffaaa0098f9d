import type { ProviderOutcome, ProviderResult } from '#domain/verification/provider-result.ts'
import { startVerification } from '#domain/verification/start-verification.ts'
import { providerResult } from './scripted-provider.ts'
import type { Stage } from './stage.ts'

export interface OneVerification {
  tenantId: string
  verificationId: string
  providerSessionId: string
  /** What the provider says of it. */
  result(outcome: ProviderOutcome, more?: Partial<ProviderResult>): ProviderResult
}

/** A verification as a tenant starts it. */
export async function startOne(stage: Stage, tenantId: string): Promise<OneVerification> {
  const { verificationId, sessionUrl } = await startVerification(stage.tenant(tenantId), {})
  const providerSessionId = sessionUrl.slice(sessionUrl.lastIndexOf('/') + 1)
  const ids = { vendorData: verificationId, providerSessionId }
  return {
    ...{ tenantId, verificationId, providerSessionId },
    result: (outcome, more) => providerResult(outcome, { ...ids, ...more }),
  }
}
