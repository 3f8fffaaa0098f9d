import { z } from 'zod'
import type { Fixture } from '../demo-context.ts'
import { send } from '../http.ts'
import { readAs } from '../read-as.ts'
import type { DemoTenant } from './make-tenant.ts'

const answered = z.object({ status: z.string() })

/** How the verification stands, without showing the request. */
export async function askStatus({ service }: Fixture, tenant: DemoTenant, verificationId: string) {
  const url = `${service.addresses.baseUrl}/verify/status?verificationId=${verificationId}`
  const answer = await send('GET', url, { headers: { 'x-tenant-api-key': tenant.apiKey } })
  return readAs(answered, answer.json, 'GET /verify/status')
}
