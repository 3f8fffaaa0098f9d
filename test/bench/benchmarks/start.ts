import type { RequestScenario } from './request-benchmark.ts'

export const start: RequestScenario = {
  name: 'start',
  description:
    'POST /verify/start without a body, distributed over the tenants; the provider responds immediately.',
  single: false,
  async requests(fixture) {
    return fixture.tenants.map(({ apiKey }) => ({
      method: 'POST',
      path: '/verify/start',
      headers: { 'x-tenant-api-key': apiKey },
    }))
  },
}
