import { addTokens } from '../fixture/add-tokens.ts'
import type { RequestScenario } from './request-benchmark.ts'

const perTenant = 20

export const validate: RequestScenario = {
  name: 'validate',
  description:
    'POST /tokens/validate of the same valid tokens again and again, distributed over the tenants.',
  single: false,
  async requests(fixture) {
    const tokens = await addTokens(fixture, fixture.tenants.length * perTenant)
    return tokens.map(({ jwt, tenant }) => ({
      method: 'POST',
      path: '/tokens/validate',
      headers: { 'x-tenant-api-key': tenant.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ token: jwt }),
    }))
  },
}
