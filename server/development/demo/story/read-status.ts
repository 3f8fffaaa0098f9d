import { z } from 'zod'
import type { Fixture } from '../demo-context.ts'
import { exchange } from '../http.ts'
import { readAs } from '../read-as.ts'
import type { DemoTenant } from './make-tenant.ts'

/** The tenant's backend asks how it went, and gets the token. */
export async function readStatus(
  { service, screen }: Fixture,
  tenant: DemoTenant,
  verificationId: string,
): Promise<string> {
  screen.part('The tenant’s backend reads the result', 'By polling, for backends that receive no events.')
  const approved = z.object({
    verificationId: z.literal(verificationId),
    status: z.literal('approved'),
    confidence: z.number().min(0).max(1),
    createdAt: z.iso.datetime({ precision: 3 }),
    completedAt: z.iso.datetime({ precision: 3 }),
    token: z.jwt(),
  })
  const url = `${service.addresses.baseUrl}/verify/status?verificationId=${verificationId}`
  const answer = await exchange(screen, 200, 'GET', url, { headers: { 'x-tenant-api-key': tenant.apiKey } })
  const { token } = readAs(approved, answer.json, 'GET /verify/status')
  screen.right('Approved, with a signed age token.')
  return token
}
