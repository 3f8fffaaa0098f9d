import { addressesOf, demoTenant, tenantOf } from '#test/harness/processes/demo-tenant.ts'
import type { ServiceProcess } from '#test/harness/processes/service-process.ts'
import { call } from '../../harness/tenant-client.ts'

/** An action on the identity provider's page, or its decision; a decision can have a reason. */
type Action = 'open' | 'submit' | { outcome: string; reasonCode?: string }

/** Starts verifications of the demo tenant, and does what its users and the local identity provider do. */
export async function verificationUser(service: ServiceProcess) {
  const { apiKey } = await demoTenant(service)
  const { veriffUrl } = await addressesOf(service)
  const tenant = tenantOf(service, apiKey)

  /** Resolves to the verification's ID. */
  async function verify(...actions: Action[]): Promise<string> {
    const { body } = await tenant.start()
    for (const action of actions) await act(body.verificationId, action)
    return body.verificationId
  }

  async function act(verificationId: string, action: Action): Promise<void> {
    const [path, json] = typeof action === 'string' ? [action, {}] : ['decide', action]
    const url = `${veriffUrl}/control/sessions/${verificationId}/${path}`
    const { status, body } = await call(url, { method: 'POST', json })
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`)
  }

  return { verify, act }
}
