import type { Fixture } from './demo-context.ts'
import { explainToken } from './story/explain-token.ts'
import { makeTenant } from './story/make-tenant.ts'
import { playPerson } from './story/play-person.ts'
import { readEvent } from './story/read-event.ts'
import { readStatus } from './story/read-status.ts'
import { revokeToken } from './story/revoke-token.ts'
import { startVerification } from './story/start-verification.ts'
import { validateToken } from './story/validate-token.ts'
import { verifyOffline } from './story/verify-offline.ts'

/** The whole story, in order. Throws a `DemoAssertionError` at the first thing that is not as expected. */
export async function playStory(fixture: Fixture, closing: AsyncDisposableStack): Promise<void> {
  const { screen } = fixture
  const begun = performance.now()
  const tenant = await makeTenant(fixture, closing)
  const { verificationId, sessionUrl } = await startVerification(fixture, tenant)
  await playPerson(fixture, tenant, { verificationId, sessionUrl })
  const token = await readStatus(fixture, tenant, verificationId)
  await readEvent(fixture, tenant, verificationId)
  explainToken(fixture, tenant, { verificationId, token })
  await verifyOffline(fixture, tenant, token)
  await validateToken(fixture, tenant, token)
  await revokeToken(fixture, tenant, { verificationId, token })
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  screen.end(
    `All as expected in ${seconds} s: started, approved, told by a signed event, token verified, validated and revoked.`,
  )
}
