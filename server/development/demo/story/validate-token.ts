import { z } from 'zod'
import type { Fixture } from '../demo-context.ts'
import { exchange } from '../http.ts'
import { readAs } from '../read-as.ts'
import type { DemoTenant } from './make-tenant.ts'

/** The service validates the token, as the tenant's backend asks for whenever the user comes back. */
export async function validateToken(fixture: Fixture, tenant: DemoTenant, token: string): Promise<void> {
  fixture.screen.part('The token validated by the service', 'Which knows of revocation too.')
  await askValidity(fixture, tenant, token, { valid: true, over18: true, reason: 'OK' })
  fixture.screen.right('Valid: the user may pass.')
}

interface Validity {
  valid: boolean
  over18: boolean
  reason: string
}

/** Throws a `DemoAssertionError` for another answer than the expected one. */
export async function askValidity(
  { service, screen }: Fixture,
  tenant: DemoTenant,
  token: string,
  { valid, over18, reason }: Validity,
): Promise<void> {
  const answer = await exchange(screen, 200, 'POST', `${service.addresses.baseUrl}/tokens/validate`, {
    headers: { 'x-tenant-api-key': tenant.apiKey, 'content-type': 'application/json' },
    json: { token },
  })
  const expected = z.object({
    valid: z.literal(valid),
    over18: z.literal(over18),
    reason: z.literal(reason),
  })
  readAs(expected, answer.json, 'POST /tokens/validate')
}
