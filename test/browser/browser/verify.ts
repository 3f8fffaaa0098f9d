import { control, tenantClient } from '../../harness/tenant-client.ts'
import type { DashboardFixture } from './dashboard-fixture.ts'

/** An action on the identity provider's page, or its decision; a decision can have a reason. */
type Action = 'open' | 'submit' | { outcome: string; reasonCode?: string }

/** Starts a verification, and does what its user and the local identity provider do. Resolves to its ID. */
export async function verify(
  { service, apiKey }: Pick<DashboardFixture, 'service' | 'apiKey'>,
  ...actions: Action[]
): Promise<string> {
  const { body } = await tenantClient(service, { apiKey }).start()
  for (const action of actions) {
    const [name, json] = typeof action === 'string' ? ([action, {}] as const) : (['decide', action] as const)
    const response = await control(service, body.verificationId, name, json)
    if (response.status !== 200) throw new Error(`${name}: ${JSON.stringify(response.body)}`)
  }
  return body.verificationId
}
