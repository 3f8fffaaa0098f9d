import { join } from 'node:path'
import { hashKeyValue } from '#domain/api-key/key-value.ts'
import { type Child, startChild } from './children/start-child.ts'
import { type ServerChild, startServer } from './children/start-server.ts'
import { databaseCpu } from './fixture/database-cpu.ts'
import type { Fixture } from './fixture/open-fixture.ts'
import type { LoadReport } from './load/order.ts'
import type { BenchOptions } from './options.ts'
import type { Scenario } from './scenario.ts'

/** One round of one contender. CPU times are per request, in microseconds. */
export interface Figures {
  requestsPerSecond: number
  cpuUs: number
  postgresUs: number | undefined
  redisUs: number | undefined
  p50Ms: number
  p99Ms: number
}

export interface Measured {
  contender: string
  rounds: Figures[]
}

interface Contender extends Measured {
  server: ServerChild
}

/** More than any contender answers; a round that has used them up ends earlier. */
const singleRequestsPerSecond = 8_000
/** By then Node has compiled what is hot. */
const warmUpRequests = 5_000
const warmUpTurnsMax = 5

/** Measures the service and its floor in turn, round by round, so that what else the machine does meets both. */
export async function measure(
  fixture: Fixture,
  scenario: Scenario,
  options: BenchOptions,
): Promise<Measured[]> {
  await using closing = new AsyncDisposableStack()
  const contenders: Contender[] = []
  for (const [contender, start] of Object.entries(contenderStarts(fixture, scenario, options))) {
    const server = await start()
    closing.defer(() => server.close())
    contenders.push({ contender, server, rounds: [] })
  }
  const load = startChild({ program: join(import.meta.dirname, 'load/main.ts'), folder: fixture.folder })
  closing.defer(() => load.close())
  const round = await roundsOf(fixture, scenario, options, load)
  for (const { server } of contenders) await warmUp(() => round(server, 1))
  for (let number = 0; number < options.rounds; number++) {
    for (const { server, rounds } of contenders) rounds.push(await round(server, options.seconds))
  }
  return contenders
}

async function warmUp(round: () => Promise<Figures>): Promise<void> {
  let requests = 0
  for (let turn = 0; turn < warmUpTurnsMax && requests < warmUpRequests; turn++) {
    requests += (await round()).requestsPerSecond
  }
}

function contenderStarts(fixture: Fixture, { name }: Scenario, { beside, profile }: BenchOptions) {
  const { env, folder } = fixture
  const project = join(import.meta.dirname, '..')
  const flags = profile ? ['--cpu-prof', `--cpu-prof-dir=${join(profile, name)}`] : []
  const service = (checkout: string) =>
    startServer({ program: join(checkout, 'server/main.ts'), env, folder, flags })
  return {
    service: () => service(project),
    ...(beside ? { beside: () => service(beside) } : {}),
    floor: () =>
      startServer({ program: join(import.meta.dirname, 'floor/main.ts'), arguments: [name], env, folder }),
  }
}

async function roundsOf(fixture: Fixture, scenario: Scenario, { connections }: BenchOptions, load: Child) {
  const { status, single } = scenario
  const shared = single ? undefined : await scenario.requests(fixture, 0)
  return async ({ origin, cpuUs }: ServerChild, seconds: number): Promise<Figures> => {
    await admitAll(fixture)
    const requests = shared ?? (await scenario.requests(fixture, seconds * singleRequestsPerSecond))
    const before = { server: await cpuUs(), ...(await databaseCpu(fixture)) }
    const order = { origin, connections, seconds, requests, once: single, status }
    const report = await load.ask<LoadReport>(order)
    const after = { server: await cpuUs(), ...(await databaseCpu(fixture)) }
    if (report.fault) throw new Error(`${scenario.name}: ${origin} answered ${report.fault}`)
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

/** Has each key looked up, so that the floor, which only reads what is remembered of keys, finds it. */
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
