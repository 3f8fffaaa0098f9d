import { statusRequests } from '../fixture/status-requests.ts'
import type { RequestScenario } from './request-benchmark.ts'

export const status: RequestScenario = {
  name: 'status',
  description: 'GET /verify/status of pending verifications, distributed over the tenants.',
  single: false,
  requests: statusRequests,
}

export const statusAlone: RequestScenario = {
  ...status,
  name: 'status-1',
  description: 'GET /verify/status from one connection: the latency of an idle service.',
  connections: 1,
}
