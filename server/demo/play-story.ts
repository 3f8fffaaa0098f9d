import type { Stage } from './stage.ts'
import { explainToken } from './story/explain-token.ts'
import { makeTenant } from './story/make-tenant.ts'
import { playPerson } from './story/play-person.ts'
import { readEvent } from './story/read-event.ts'
import { readStatus } from './story/read-status.ts'
import { revokeToken } from './story/revoke-token.ts'
import { startVerification } from './story/start-verification.ts'
import { validateToken } from './story/validate-token.ts'
import { verifyOffline } from './story/verify-offline.ts'

/** The whole story, in order. Throws a `Surprise` at the first thing that is not as expected. */
export async function playStory(stage: Stage, closing: AsyncDisposableStack): Promise<void> {
  const { screen } = stage
  const begun = performance.now()
  const tenant = await makeTenant(stage, closing)
  const { verificationId, sessionUrl } = await startVerification(stage, tenant)
  await playPerson(stage, tenant, { verificationId, sessionUrl })
  const token = await readStatus(stage, tenant, verificationId)
  await readEvent(stage, tenant, verificationId)
  explainToken(stage, tenant, { verificationId, token })
  await verifyOffline(stage, tenant, token)
  await validateToken(stage, tenant, token)
  await revokeToken(stage, tenant, { verificationId, token })
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  screen.end(
    `All as expected in ${seconds} s: started, approved, told by a signed event, token verified, validated and revoked.`,
  )
}
