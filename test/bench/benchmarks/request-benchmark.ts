import { join } from 'node:path'
import { hashKeyValue } from '#domain/api-key/key-value.ts'
import type { BenchContext, Benchmark } from '../benchmark.ts'
import type { Child } from '../children/start-child.ts'
import type { ServerChild, ServerOptions } from '../children/start-server.ts'
import type { Fixture } from '../fixture/fixture.ts'
import { comparedWithFloor, measureCpu, toCosts } from '../fixture/measure-cpu.ts'
import { baselineProcess, serviceProcess } from '../fixture/service-process.ts'
import type { ClosedLoopOrder, ClosedLoopReport } from '../load/orders.ts'
import type { Round, Values } from '../report/table.ts'
import type { RequestScenario } from './request-scenario.ts'

/** More than any target handles; a round that has sent all its requests ends early. */
const singleRequestsPerSecond = 8_000
/** After that many requests V8 has optimized the hot functions. A warm-up takes less time than the measurement, though. */
const warmUpRequests = 5_000

/** Measures a scenario's targets in turn, so that other load on the machine affects all of them. */
export function requestBenchmark(scenario: RequestScenario): Benchmark {
  const { name, description, floorDescription, connections } = scenario
  return {
    name,
    description: `${description}\nFloor: ${floorDescription}`,
    isUsual: true,
    ...(connections ? { connections } : {}),
    comparison: comparedWithFloor,
    async prepare(context) {
      const { fixture, options } = context
      const load = context.startLoad()
      const repeated = scenario.single ? undefined : await scenario.requests(fixture, 0)
      const starting = Object.entries(listTargets(context, scenario)).map(
        async ([target, server]) => [target, await context.start(server)] as const,
      )
      const targets = new Map(await Promise.all(starting))
      const measureTarget = async (server: ServerChild, seconds: number) => {
        const requests = repeated ?? (await scenario.requests(fixture, seconds * singleRequestsPerSecond))
        const { single: once, status } = scenario
        const limits = { connections: options.connections, seconds, once, statuses: [status] }
        return await measureRequests(fixture, server, load, { kind: 'closed loop', ...limits, requests })
      }
      for (const server of targets.values()) {
        let requests = 0
        const roundsMax = options.rounds * options.seconds - 1
        for (let round = 0; round < roundsMax && requests < warmUpRequests; round++) {
          requests += (await measureTarget(server, 1))['per second']!
        }
      }
      return async () => {
        const round: Round = {}
        for (const [target, server] of targets) round[target] = await measureTarget(server, options.seconds)
        return round
      }
    },
  }
}

/** The service, the service of another checkout that it is compared with, and the floor. */
function listTargets(context: BenchContext, { name }: RequestScenario): Record<string, ServerOptions> {
  const { env, folder } = context.fixture
  const { profile } = context.options
  const flags = profile ? ['--cpu-prof', `--cpu-prof-dir=${join(profile, name)}`] : []
  return {
    service: serviceProcess(context, { flags }),
    ...baselineProcess(context),
    floor: { program: join(import.meta.dirname, '../floor/main.ts'), arguments: [name], env, folder },
  }
}

export async function measureRequests(
  fixture: Fixture,
  server: ServerChild,
  load: Child,
  order: Omit<ClosedLoopOrder, 'origin'>,
): Promise<Values> {
  await admitAll(fixture)
  const { result, cpuUs } = await measureCpu(fixture, [server], () =>
    load.request<ClosedLoopReport>({ ...order, origin: server.origin }),
  )
  if (result.error) throw new Error(`${server.origin} responded ${result.error}`)
  const { rejected } = result
  return {
    ...toCosts(cpuUs, result.requests, result.seconds),
    'p50 ms': result.p50Ms,
    'p99 ms': result.p99Ms,
    'rejected, %': rejected === 0 ? undefined : (100 * rejected) / (result.requests + rejected),
  }
}

/** Caches every key, because the floor only reads the cache. */
async function admitAll({ services, tenants }: Fixture): Promise<void> {
  const { keyAdmission, clock } = services
  for (const { apiKey } of tenants) {
    await keyAdmission.admit({
      keyHash: hashKeyValue(apiKey),
      scope: 'tokens:validate',
      rateClass: 'read',
      now: clock(),
    })
  }
}
