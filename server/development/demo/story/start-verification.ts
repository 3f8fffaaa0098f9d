import { z } from 'zod'
import type { Fixture } from '../demo-context.ts'
import { exchange } from '../http.ts'
import { readAs } from '../read-as.ts'
import type { DemoTenant } from './make-tenant.ts'

const started = z.object({
  verificationId: z.uuid(),
  status: z.literal('started'),
  provider: z.string(),
  sessionUrl: z.url(),
  config: z.object({ pollingIntervalMs: z.int(), tokenType: z.literal('jwt') }),
})

/** The tenant's backend starts a verification for its user. */
export async function startVerification(
  { service, screen }: Fixture,
  tenant: DemoTenant,
): Promise<{ verificationId: string; sessionUrl: string }> {
  screen.part(
    'The tenant’s backend starts a verification',
    'With what it knows of its user’s browser. It sends the user to sessionUrl.',
  )
  const answer = await exchange(screen, 201, 'POST', `${service.addresses.baseUrl}/verify/start`, {
    headers: { 'x-tenant-api-key': tenant.apiKey, 'content-type': 'application/json' },
    json: { userAgent: 'Mozilla/5.0 (demo)', ip: '203.0.113.7' },
  })
  const { verificationId, sessionUrl } = readAs(started, answer.json, 'POST /verify/start')
  screen.right('The verification exists, and the user has an address to go to.')
  return { verificationId, sessionUrl }
}
