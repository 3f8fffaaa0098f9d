import { join } from 'node:path'
import { hashKeyValue } from '#domain/api-key/key-value.ts'
import { type Child, startChild } from './children/start-child.ts'
import type { ServerChild } from './children/start-server.ts'
import { databaseCpu } from './fixture/database-cpu.ts'
import type { Fixture } from './fixture/open-fixture.ts'
import type { LoadOrder, LoadReport } from './load/order.ts'
import type { BenchOptions } from './options.ts'
import type { Scenario } from './scenario.ts'
import type { Target } from './targets.ts'

/** The result of one round for one target. CPU times are per request, in microseconds. */
export interface RoundResult {
  requestsPerSecond: number
  cpuUs: number
  postgresUs: number | undefined
  redisUs: number | undefined
  p50Ms: number | undefined
  p99Ms: number | undefined
  /** The share of requests that an overloaded target rejected; CPU times are per request that it served. */
  rejectedShare: number
}

export interface Measurement {
  /** The target's name. */
  target: string
  rounds: RoundResult[]
}

/** Called before each round with its number, from 1. */
export type OnRound = (round: number) => void

/** More than any target handles; a round that has sent all its requests ends early. */
const singleRequestsPerSecond = 8_000
/** After that many requests V8 has optimized the hot functions. */
const warmUpRequests = 5_000
const warmUpRoundsMax = 5

/** Measures the targets in alternating rounds, so that other load on the machine affects all of them. */
export async function measure(
  targets: readonly Target[],
  scenario: Scenario,
  options: BenchOptions,
  onRound: OnRound,
): Promise<Measurement[]> {
  await using closing = new AsyncDisposableStack()
  const load = startLoad(targets[0]!.fixture.folder)
  closing.defer(() => load.close())
  const measured = []
  for (const { name, fixture, start } of targets) {
    const server = await start()
    closing.defer(() => server.close())
    const round = await roundsOf({ fixture, server, scenario, options, load })
    measured.push({ target: name, round, rounds: [] as RoundResult[] })
  }
  for (const { round } of measured) await warmUp(() => round(1))
  for (let number = 1; number <= options.rounds; number++) {
    onRound(number)
    for (const { round, rounds } of measured) rounds.push(await round(options.seconds))
  }
  return measured
}

/** Starts a process that generates load. */
export function startLoad(folder: string): Child {
  return startChild({ program: join(import.meta.dirname, 'load/main.ts'), folder })
}

async function warmUp(round: () => Promise<RoundResult>): Promise<void> {
  let requests = 0
  for (let count = 0; count < warmUpRoundsMax && requests < warmUpRequests; count++) {
    requests += (await round()).requestsPerSecond
  }
}

interface RoundOptions {
  fixture: Fixture
  server: ServerChild
  scenario: Scenario
  options: BenchOptions
  load: Child
}

/** Returns the function that measures a target for a number of seconds. */
async function roundsOf({ fixture, server, scenario, options, load }: RoundOptions) {
  const { name, status, single, connections = options.connections } = scenario
  const { origin, cpuUs } = server
  const shared = single ? undefined : await scenario.requests(fixture, 0)
  return async (seconds: number): Promise<RoundResult> => {
    await admitAll(fixture)
    const requests = shared ?? (await scenario.requests(fixture, seconds * singleRequestsPerSecond))
    const before = { server: await cpuUs(), ...(await databaseCpu(fixture)) }
    const order: LoadOrder = { origin, connections, seconds, requests, once: single, status }
    const report = await load.request<LoadReport>(order)
    const after = { server: await cpuUs(), ...(await databaseCpu(fixture)) }
    if (report.error) throw new Error(`${name}: ${origin} responded ${report.error}`)
    const perRequest = (from: number | undefined, to: number | undefined) =>
      from === undefined || to === undefined ? undefined : (to - from) / report.requests
    return {
      requestsPerSecond: report.requests / report.seconds,
      cpuUs: perRequest(before.server, after.server)!,
      postgresUs: perRequest(before.postgresUs, after.postgresUs),
      redisUs: perRequest(before.redisUs, after.redisUs),
      p50Ms: report.p50Ms,
      p99Ms: report.p99Ms,
      rejectedShare: report.rejected / (report.requests + report.rejected),
    }
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
      beforeLookUp: async () => {},
    })
  }
}
