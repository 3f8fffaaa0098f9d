import { join } from 'node:path'
import { hashKeyValue } from '#domain/api-key/key-value.ts'
import { type Child, startChild } from './children/start-child.ts'
import { type ServerChild, startServer } from './children/start-server.ts'
import type { LoadReport } from './load/order.ts'
import type { BenchOptions } from './options.ts'
import type { Scenario } from './scenario.ts'
import { databaseCpu } from './stage/database-cpu.ts'
import type { Stage } from './stage/open-stage.ts'

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
export async function measure(stage: Stage, scenario: Scenario, options: BenchOptions): Promise<Measured[]> {
  await using closing = new AsyncDisposableStack()
  const contenders: Contender[] = []
  for (const [contender, start] of Object.entries(contenderStarts(stage, scenario, options))) {
    const server = await start()
    closing.defer(() => server.close())
    contenders.push({ contender, server, rounds: [] })
  }
  const load = startChild({ program: join(import.meta.dirname, 'load/main.ts'), folder: stage.folder })
  closing.defer(() => load.close())
  const round = await roundsOf(stage, scenario, options, load)
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

function contenderStarts(stage: Stage, { name }: Scenario, { beside, profile }: BenchOptions) {
  const { env, folder } = stage
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

async function roundsOf(stage: Stage, scenario: Scenario, { connections }: BenchOptions, load: Child) {
  const { status, single } = scenario
  const shared = single ? undefined : await scenario.requests(stage, 0)
  return async ({ origin, cpuUs }: ServerChild, seconds: number): Promise<Figures> => {
    await admitAll(stage)
    const requests = shared ?? (await scenario.requests(stage, seconds * singleRequestsPerSecond))
    const before = { server: await cpuUs(), ...(await databaseCpu(stage)) }
    const order = { origin, connections, seconds, requests, once: single, status }
    const report = await load.ask<LoadReport>(order)
    const after = { server: await cpuUs(), ...(await databaseCpu(stage)) }
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
async function admitAll({ services, tenants }: Stage): Promise<void> {
  const { gatekeeper, now } = services.scopeFor({ kind: 'service' })
  for (const { apiKey } of tenants) {
    await gatekeeper.admit({
      keyHash: hashKeyValue(apiKey),
      scope: 'tokens:validate',
      rateClass: 'read',
      now,
    })
  }
}
