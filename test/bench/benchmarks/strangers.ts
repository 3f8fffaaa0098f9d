import { randomBytes } from 'node:crypto'
import { newKeyValue } from '#domain/api-key/key-value.ts'
import type { Benchmark } from '../benchmark.ts'
import type { Child } from '../children/start-child.ts'
import type { ServerChild } from '../children/start-server.ts'
import { baselineProcess, serviceProcess } from '../fixture/service-process.ts'
import type { BenchRequest, OpenLoopClient, OpenLoopReport, Order } from '../load/orders.ts'
import type { Values } from '../report/table.ts'
import { openLoopValues } from './overload.ts'
import { status } from './status.ts'

const addressCount = 3_000
const rateDefault = 1_000
const tenantPerSecond = 10
const warmUpSeconds = 5

interface Attack {
  /** What every response is, unless the service is overloaded. */
  status: number
  request(): BenchRequest
}

const attacks: Record<string, Attack> = {
  'made-up keys': {
    status: 401,
    request: () => get('/verify/status', { 'x-tenant-api-key': newKeyValue() }),
  },
  'unknown hosted pages': {
    status: 404,
    request: () => get(`/test/sessions/${randomBytes(32).toString('base64url')}`, {}),
  },
}

export const strangers: Benchmark = {
  name: 'strangers',
  description:
    `What ${addressCount.toLocaleString('en')} addresses without a key cost a tenant that asks for ${tenantPerSecond} statuses a second.\n` +
    `Together they send --rate requests a second, or ${rateDefault.toLocaleString('en')}, each on one connection, one at a time: API keys that\n` +
    'never existed, then unknown pages. Served are statuses of the tenant, and the 401 or 404 of the others.',
  isUsual: false,
  rounds: 3,
  seconds: 20,
  data: { tenants: 1 },
  async prepare(context) {
    const { fixture, options } = context
    const pages = { env: { TEST_TENANTS: 'true' } }
    const servers = { service: serviceProcess(context, pages), ...baselineProcess(context, pages) }
    const load = context.startLoad()
    const requests = await status.requests(fixture, 0)
    const tenant: OpenLoopClient = { requests, perSecond: tenantPerSecond, connections: 20 }
    const targets = await Promise.all(
      Object.entries(servers).map(async ([name, server]) => ({ name, server: await context.start(server) })),
    )
    async function measure(seconds: number): Promise<Record<string, Values>> {
      const round: Record<string, Values> = {}
      for (const { name, server } of targets) {
        const [alone] = await send(load, server, [tenant], seconds / 2)
        round[`${name}: the tenant alone`] = openLoopValues([alone!], seconds / 2)
        for (const [title, attack] of Object.entries(attacks)) {
          const attackers = strangersOf(attack, options.rate ?? rateDefault, seconds)
          const [tenants, strangers] = await send(load, server, [tenant, attackers], seconds)
          round[`${name}: the tenant during ${title}`] = openLoopValues([tenants!], seconds)
          round[`${name}: ${title}`] = openLoopValues([strangers!], seconds)
        }
      }
      return round
    }
    await measure(warmUpSeconds)
    return () => measure(options.seconds)
  },
}

function strangersOf({ status, request }: Attack, perSecond: number, seconds: number): OpenLoopClient {
  const requests = Array.from({ length: perSecond * seconds + 1 }, request)
  return { requests, perSecond, connections: addressCount, hasAddresses: true, statuses: [status] }
}

function get(path: string, headers: Record<string, string>): BenchRequest {
  return { method: 'GET', path, headers }
}

function send(load: Child, { origin }: ServerChild, clients: OpenLoopClient[], seconds: number) {
  const order: Order = { kind: 'open loop', origin, seconds, clients }
  return load.request<OpenLoopReport[]>(order)
}
