import { join } from 'node:path'
import { hashKeyValue } from '#domain/api-key/key-value.ts'
import { type Child, startChild } from './children/start-child.ts'
import { type ServerChild, startServer } from './children/start-server.ts'
import { databaseCpu } from './fixture/database-cpu.ts'
import type { Fixture } from './fixture/open-fixture.ts'
import type { LoadReport } from './load/order.ts'
import type { BenchOptions } from './options.ts'
import type { Scenario } from './scenario.ts'

/** The result of one round for one target. CPU times are per request, in microseconds. */
export interface RoundResult {
  requestsPerSecond: number
  cpuUs: number
  postgresUs: number | undefined
  redisUs: number | undefined
  p50Ms: number
  p99Ms: number
}

export interface Measurement {
  /** `service`, `floor`, or `baseline` for another checkout. */
  target: string
  rounds: RoundResult[]
}

interface Target extends Measurement {
  server: ServerChild
}

/** More than any target handles; a round that has sent all its requests ends early. */
const singleRequestsPerSecond = 8_000
/** After that many requests V8 has optimized the hot functions. */
const warmUpRequests = 5_000
const warmUpRoundsMax = 5

/** Measures the targets in alternating rounds, so that other load on the machine affects all of them. */
export async function measure(
  fixture: Fixture,
  scenario: Scenario,
  options: BenchOptions,
): Promise<Measurement[]> {
  await using closing = new AsyncDisposableStack()
  const targets: Target[] = []
  for (const [target, start] of Object.entries(targetStarts(fixture, scenario, options))) {
    const server = await start()
    closing.defer(() => server.close())
    targets.push({ target, server, rounds: [] })
  }
  const load = startChild({ program: join(import.meta.dirname, 'load/main.ts'), folder: fixture.folder })
  closing.defer(() => load.close())
  const round = await roundsOf(fixture, scenario, options, load)
  for (const { server } of targets) await warmUp(() => round(server, 1))
  for (let number = 0; number < options.rounds; number++) {
    for (const { server, rounds } of targets) rounds.push(await round(server, options.seconds))
  }
  return targets
}

async function warmUp(round: () => Promise<RoundResult>): Promise<void> {
  let requests = 0
  for (let count = 0; count < warmUpRoundsMax && requests < warmUpRequests; count++) {
    requests += (await round()).requestsPerSecond
  }
}

function targetStarts(fixture: Fixture, { name }: Scenario, { compare, profile }: BenchOptions) {
  const { env, folder } = fixture
  const project = join(import.meta.dirname, '..')
  const flags = profile ? ['--cpu-prof', `--cpu-prof-dir=${join(profile, name)}`] : []
  const service = (checkout: string) =>
    startServer({ program: join(checkout, 'server/main.ts'), env, folder, flags })
  return {
    service: () => service(project),
    ...(compare ? { baseline: () => service(compare) } : {}),
    floor: () =>
      startServer({ program: join(import.meta.dirname, 'floor/main.ts'), arguments: [name], env, folder }),
  }
}

async function roundsOf(fixture: Fixture, scenario: Scenario, { connections }: BenchOptions, load: Child) {
  const { status, single } = scenario
  const shared = single ? undefined : await scenario.requests(fixture, 0)
  return async ({ origin, cpuUs }: ServerChild, seconds: number): Promise<RoundResult> => {
    await admitAll(fixture)
    const requests = shared ?? (await scenario.requests(fixture, seconds * singleRequestsPerSecond))
    const before = { server: await cpuUs(), ...(await databaseCpu(fixture)) }
    const order = { origin, connections, seconds, requests, once: single, status }
    const report = await load.request<LoadReport>(order)
    const after = { server: await cpuUs(), ...(await databaseCpu(fixture)) }
    if (report.error) throw new Error(`${scenario.name}: ${origin} responded ${report.error}`)
    const perRequest = (from: number | undefined, to: number | undefined) =>
      from === undefined || to === undefined ? undefined : (to - from) / report.requests
    return {
      requestsPerSecond: report.requests / report.seconds,
      cpuUs: perRequest(before.server, after.server)!,
      postgresUs: perRequest(before.postgresUs, after.postgresUs),
      redisUs: perRequest(before.redisUs, after.redisUs),
      p50Ms: report.p50Ms,
      p99Ms: report.p99Ms,
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
    })
  }
}
