import { z } from 'zod'
import type { Fixture } from '../demo-context.ts'
import { operate } from '../operator.ts'
import type { DemoTenant } from './make-tenant.ts'
import { askValidity } from './validate-token.ts'

/** The token is revoked, and holds nowhere from then on. */
export async function revokeToken(
  fixture: Fixture,
  tenant: DemoTenant,
  { verificationId, token }: { verificationId: string; token: string },
): Promise<void> {
  const { service, screen } = fixture
  screen.part('The token revoked', 'By the operator here; members of the tenant do it in the dashboard.')
  const revoked = z.object({
    verificationId: z.literal(verificationId),
    jti: z.string(),
    revokedAt: z.iso.datetime(),
  })
  const args = ['token', 'revoke', '--verification', verificationId]
  screen.rows(Object.entries(await operate(service, args, revoked, screen)))
  await askValidity(fixture, tenant, token, { valid: false, over18: false, reason: 'TOKEN_REVOKED' })
  screen.right('Refused at once.')
}
