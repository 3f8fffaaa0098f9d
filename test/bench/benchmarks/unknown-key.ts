import { newKeyValue } from '#domain/api-key/key-value.ts'
import type { Benchmark } from '../benchmark.ts'
import { baselineProcess, serviceProcess } from '../fixture/service-process.ts'
import type { BenchRequest } from '../load/orders.ts'
import type { Values } from '../report/table.ts'
import { measureRequests } from './request-benchmark.ts'

/** More than any target handles; a round that has sent all its requests ends early. */
const perSecondMax = 8_000
const warmUpSeconds = 2

/** From how many addresses the keys come. */
const addresses = { 'one address': 1, 'many addresses': 1_000_000 }

export const unknownKey: Benchmark = {
  name: 'unknown-key',
  description:
    'What an API key costs that never existed: each is sent once, with a right checksum.\n' +
    'Addresses are those that a proxy reports.',
  isUsual: false,
  seconds: 3,
  async prepare(context) {
    const { fixture, options } = context
    const proxied = { env: { TRUST_PROXY: '1' } }
    const servers = { service: serviceProcess(context, proxied), ...baselineProcess(context, proxied) }
    const load = context.startLoad()
    const targets = await Promise.all(
      Object.entries(servers).map(async ([name, server]) => ({ name, server: await context.start(server) })),
    )
    async function measure(seconds: number): Promise<Record<string, Values>> {
      const round: Record<string, Values> = {}
      for (const { name, server } of targets) {
        for (const [from, count] of Object.entries(addresses)) {
          const requests = keyRequests(seconds * perSecondMax, count)
          const limits = { connections: options.connections, seconds, once: true, statuses: [401, 429] }
          const order = { kind: 'closed loop', ...limits, requests } as const
          round[`${name}, ${from}`] = await measureRequests(fixture, server, load, order)
        }
      }
      return round
    }
    await measure(warmUpSeconds)
    return () => measure(options.seconds)
  },
}

function keyRequests(count: number, addressCount: number): BenchRequest[] {
  return Array.from({ length: count }, (_, index) => {
    const address = index % addressCount
    const from = `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}`
    const headers = { 'x-tenant-api-key': newKeyValue(), 'x-forwarded-for': from }
    return { method: 'GET', path: '/verify/status', headers }
  })
}
