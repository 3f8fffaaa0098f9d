import { setTimeout as wait } from 'node:timers/promises'
import { createRandom } from '#test/harness/random.ts'
import { audit } from './audit/audit.ts'
import { checkRecovery } from './audit/check-recovery.ts'
import { prepareTenants } from './clients/prepare-tenants.ts'
import { startClients } from './clients/run-clients.ts'
import { Sender } from './clients/send.ts'
import { runFaults } from './faults/fault.ts'
import { Ledger } from './judge/ledger.ts'
import { RateWindows } from './judge/rate-windows.ts'
import { Timeline, Violations } from './judge/timeline.ts'
import { watchMachine } from './judge/watch-machine.ts'
import type { Plan } from './plan.ts'
import type { Run } from './run.ts'
import { openSystem, type SystemOptions } from './system/system.ts'

export interface ChaosOptions
  extends Pick<SystemOptions, 'folder' | 'roles' | 'topology' | 'ownDatabase' | 'prepared'> {
  seed: number
  plan: Plan
  /** No round begins after as many faults, or after the minutes. */
  faultsMax?: number
  minutesMax?: number
  clients: number
  /** Whether clients use connections again, as a load balancer does. */
  keepsConnections?: boolean
  /** How long a round goes on without a fault, in milliseconds. */
  quietMs: number
  /** Whether the run ends with the lifetime of all verifications. */
  endsLifetimes: boolean
  /** Receives a line for everything that happens. */
  print(line: string): void
}

/** What a run did and found. */
export type ChaosResult = Awaited<ReturnType<typeof runChaos>>

/** Runs the service through faults, and compares everything that it says, stores and sends with a ledger. */
export async function runChaos(options: ChaosOptions) {
  const { seed, topology, keepsConnections = false, print } = options
  const timeline = new Timeline()
  const say = (line: string) => print(`${(timeline.now() / 1_000).toFixed(1).padStart(7)} s  ${line}`)
  const violations = new Violations(timeline, ({ promise }) => say(`VIOLATION: ${promise}`))
  const system = await openSystem({
    ...options,
    random: createRandom(seed, 'receivers'),
    onUnexpectedExit: line => violations.add('No process ends by itself', line),
  })
  const run: Run = {
    seed,
    system,
    timeline,
    violations,
    ledger: new Ledger(),
    windows: new RateWindows(),
    sender: new Sender(timeline, { keepsConnections }),
    counterLosses: [],
    lifetimeIsOver: false,
  }
  const machine = watchMachine(timeline)
  try {
    say(`PostgreSQL (${topology}), Redis, provider and receivers are up`)
    await prepareTenants(run, chooseQuota(options))
    const standby = options.ownDatabase ? undefined : system.database.buildStandby()
    await Promise.all([standby, startProcesses(run)])
    say(`The service is up: ${system.processes.map(one => one.options.name).join(', ')}`)
    const found = await runRounds(run, options, say)
    const result = { ...found, ...(await finish(run, options, say)) }
    const [seconds, busySeconds] = [timeline.now() / 1_000, machine.busySeconds()]
    return { ...result, seconds, busySeconds, violations: violations.list }
  } finally {
    machine.close()
    await run.sender.close()
    await system.close()
  }
}

/** The first one alone: it makes the signing key, and builds the dashboard where it was never built. */
async function startProcesses({ system }: Run): Promise<void> {
  const [first, ...rest] = system.processes
  await first!.start()
  await Promise.all(rest.map(process => process.start()))
}

async function runRounds(run: Run, options: ChaosOptions, say: (line: string) => void) {
  const { timeline, violations } = run
  const { plan, faultsMax = Number.POSITIVE_INFINITY, minutesMax = Number.POSITIVE_INFINITY } = options
  /** From the last heal of each round until all processes were ready. */
  const recoveryMs: number[] = []
  let faults = 0
  const clients = startClients(run, options.clients)
  try {
    for (let round = 0; faults < faultsMax; round += 1) {
      const planned = plan(round)
      if (!planned || timeline.now() > minutesMax * 60_000 || violations.list.length > 0) break
      const injected = await runFaults(run, planned, say)
      if (injected === 0) throw new Error('None of the faults can be injected here.')
      faults += injected
      recoveryMs.push(await checkRecovery(run))
      await wait(options.quietMs)
      say(
        `${faults} faults, ${run.sender.count} requests, ${run.ledger.starts.length} starts; all processes work`,
      )
    }
  } finally {
    await clients.stop()
  }
  return { faults, recoveryMs }
}

async function finish(run: Run, { endsLifetimes }: ChaosOptions, say: (line: string) => void) {
  const requests = run.sender.count
  await run.sender.close()
  run.sender = new Sender(run.timeline)
  say('comparing rows, events, quotas, keys and tokens with the ledger')
  await audit(run, { endsLifetimes })
  return {
    requests: requests + run.sender.count,
    starts: run.ledger.starts.length,
    completions: run.ledger.starts.filter(({ completion }) => completion).length,
    attempts: run.system.receivers.attempts.length,
  }
}

/** A quota that is used up towards the end of the run. */
function chooseQuota({ faultsMax = 10, minutesMax = Number.POSITIVE_INFINITY }: ChaosOptions): number {
  return Math.round(15 + Math.min(faultsMax / 2, minutesMax * 25))
}
