import { join } from 'node:path'
import type { BenchContext, Benchmark } from '../benchmark.ts'
import type { Child } from '../children/start-child.ts'
import type { ServerChild, ServerOptions } from '../children/start-server.ts'
import type { Fixture } from '../fixture/fixture.ts'
import { measureCpu, toCosts } from '../fixture/measure-cpu.ts'
import { baselineProcess, serviceProcess } from '../fixture/service-process.ts'
import { statusRequests } from '../fixture/status-requests.ts'
import type { BenchRequest, LoadOrder, LoadReport } from '../load/closed-loop.ts'
import type { Round, Values } from '../report/table.ts'

/** One hot path. */
export interface RequestScenario {
  name: string
  /** What each request does, in one sentence. */
  description: string
  /** Returns the requests to send in a cycle; at least `count` if each can be sent only once. */
  requests(fixture: Fixture, count: number): Promise<BenchRequest[]>
  /** Whether each request can be sent only once. */
  single: boolean
  /** Concurrent connections, if the scenario is about their number. */
  connections?: number
}

/** More than any target handles; a round that has sent all its requests ends early. */
const singleRequestsPerSecond = 8_000
/** After that many requests V8 has optimized the hot functions. A warm-up takes less time than the measurement, though. */
const warmUpRequests = 5_000

/** Measures the service and the floor in turn, so that other load on the machine affects both of them. */
export function requestBenchmark(scenario: RequestScenario): Benchmark {
  const { name, description, connections } = scenario
  return {
    name,
    description,
    ...(connections ? { connections } : {}),
    comparison: { row: 'floor', columns: ['all CPU µs', 'per second', 'own CPU µs'] },
    async prepare(context) {
      const { fixture, options } = context
      const load = context.startLoad()
      const ofFloor = await statusRequests(fixture)
      const repeated = scenario.single ? undefined : await scenario.requests(fixture, 0)
      const starting = Object.entries(listTargets(context, scenario)).map(
        async ([target, server]) => [target, await context.start(server)] as const,
      )
      const targets = await Promise.all(starting)
      const measureTarget = async ([target, server]: (typeof targets)[number], seconds: number) => {
        const ofScenario = async () =>
          repeated ?? (await scenario.requests(fixture, seconds * singleRequestsPerSecond))
        const requests = target === 'floor' ? ofFloor : await ofScenario()
        const once = scenario.single && target !== 'floor'
        const order = { connections: options.connections, seconds, once, requests }
        return await measureRequests(fixture, server, load, order)
      }
      for (const target of targets) {
        let requests = 0
        const roundsMax = options.rounds * options.seconds - 1
        for (let round = 0; round < roundsMax && requests < warmUpRequests; round++) {
          requests += (await measureTarget(target, 1))['per second']!
        }
      }
      return async () => {
        const round: Round = {}
        for (const target of targets) round[target[0]] = await measureTarget(target, options.seconds)
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
    floor: { program: join(import.meta.dirname, '../children/floor.ts'), env, folder },
  }
}

async function measureRequests(
  fixture: Fixture,
  server: ServerChild,
  load: Child,
  order: Omit<LoadOrder, 'origin'>,
): Promise<Values> {
  const { result, cpuUs } = await measureCpu(fixture, [server], () =>
    load.request<LoadReport>({ ...order, origin: server.origin }),
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
