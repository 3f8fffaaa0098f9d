import { type ApiResponse, call, tenantClient } from '../../harness/tenant-client.ts'
import type { DashboardFixture } from './dashboard-fixture.ts'

/** An action on the identity provider's page, or its decision; a decision can have a reason. */
type Action = 'open' | 'submit' | { outcome: string; reasonCode?: string }

/** As the provider calls them, and as the tenant API does. */
const outcomes: Record<string, string> = {
  'approve-adult': 'adult',
  'approve-minor': 'minor',
  'approve-unknown-age': 'unknown_age',
  decline: 'denied',
  resubmission: 'resubmission',
  review: 'in_review',
  expire: 'expired',
  abandon: 'abandoned',
}

/** Starts a verification of a test tenant, and does what its user and the simulator do. Resolves to its ID. */
export async function verify(
  { service, apiKey }: Pick<DashboardFixture, 'service' | 'apiKey'>,
  ...actions: Action[]
): Promise<string> {
  const client = tenantClient(service, { apiKey })
  const { verificationId, sessionUrl } = (await client.start()).body
  async function act(action: Action): Promise<ApiResponse> {
    if (action === 'open') return await call(sessionUrl)
    if (action === 'submit') return await call(`${sessionUrl}/submit`, { method: 'POST' })
    const { outcome, ...more } = action
    return await client.choose(verificationId, outcomes[outcome]!, more)
  }
  for (const action of actions) {
    const { status, body } = await act(action)
    if (status >= 400) throw new Error(`${JSON.stringify(action)}: ${JSON.stringify(body)}`)
  }
  return verificationId
}
