import type { DemoContext } from './open-service.ts'
import { explainToken, revokeToken, validateToken, verifyOffline } from './steps/check-token.ts'
import { checkWebhookEvent } from './steps/check-webhook-event.ts'
import { completeOnHostedPage, readStatus, startVerification } from './steps/complete-verification.ts'
import { createTenant } from './steps/create-tenant.ts'

/** Runs all steps in order. Throws a `DemoAssertionError` at the first unexpected result. */
export async function runScenario(context: DemoContext, closing: AsyncDisposableStack): Promise<void> {
  const begin = performance.now()
  const tenant = await createTenant(context, closing)
  const { verificationId, sessionUrl } = await startVerification(context, tenant)
  await completeOnHostedPage(context, tenant, { verificationId, sessionUrl })
  const token = await readStatus(context, tenant, verificationId)
  await checkWebhookEvent(context, tenant, verificationId)
  explainToken(context, tenant, { verificationId, token })
  await verifyOffline(context, tenant, token)
  await validateToken(context, tenant, token)
  await revokeToken(context, tenant, { verificationId, token })
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  context.screen.end(
    `All checks passed in ${seconds} s: verification started and approved, signed webhook event received,\n` +
      'token verified, validated and revoked.',
  )
}
