import { setTimeout as wait } from 'node:timers/promises'
import { inWaves } from '../../harness/in-waves.ts'
import { checkRecovery } from '../audit/check-recovery.ts'
import { expectEventually } from '../audit/settle.ts'
import { startOnce } from '../clients/start.ts'
import { nameOf } from '../faults/fault.ts'
import type { StartEntry, TenantEntry } from '../judge/ledger.ts'
import type { Run } from '../run.ts'
import { type Operation, operations, type Probe, probes } from './probes.ts'
import type { StandingFault } from './standing-faults.ts'

type Times = Partial<Record<Operation, number>>

/** What went on under a fault that stayed. */
export interface Progress {
  name: string
  /** Milliseconds from its beginning until an operation worked on every process that it doesn't reach. */
  workedAfterMs: Times
  /** Milliseconds from its end until all processes were ready. */
  readyAfterMs: number
}

/** Another worker has the tasks of one that is silent after 22 s. */
const progressMsMax = 40_000
/** How often everything has to work while the fault stays. */
const rounds = 4

/**
 * Begins a fault and lets it stay. Everything that doesn't need what is gone must work, and go on working, while clients do
 * what they always do: once all of it has worked, the fault excuses only the answers of the processes that it reaches.
 */
export async function demandProgress(
  run: Run,
  { fault, target, receiver, stops = [] }: StandingFault,
  { pauseMs, say }: { pauseMs: number; say: (line: string) => void },
): Promise<Progress> {
  const { system, timeline, violations } = run
  const planned = { fault, gapMs: 0, lastsMs: 0, target: target ?? 0, variant: 1 }
  const name = nameOf(planned, system)
  const reached = target === undefined ? undefined : system.processes[target]!
  const apis = system.processes.filter(one => one.options.role !== 'worker' && one !== reached)
  const tenants = run.ledger.tenants.filter(
    one => one.name.startsWith('with events') && one.name !== receiver,
  )
  const probe = { apis, tenants, take: await startAhead(run, tenants) }
  const demanded = operations.filter(operation => !stops.includes(operation))
  const balanced = new AbortController()
  const balancing = Promise.all(system.processes.map(one => one.followReadiness(balanced.signal)))
  const { effects } = fault
  const begins = timeline.begin({ name: `beginning of ${name}`, effects, processes: undefined })
  const stays = timeline.begin({ name, effects, processes: reached && [reached.options.name] })
  say(`begin  ${name}, which stays`)
  await fault.begin(run, planned)
  const workedAfterMs = await untilAllWork(run, name, demanded, probe)
  timeline.end(begins)
  timeline.recovered()
  say(`worked ${describeTimes(workedAfterMs)}`)
  for (let round = 1; round < rounds && violations.list.length === 0; round += 1) {
    await wait(pauseMs)
    await untilAllWork(run, name, demanded, probe)
  }
  await fault.heal?.(run, planned)
  timeline.end(stays)
  balanced.abort()
  await balancing
  say(`healed ${name}`)
  await fault.settle?.(run, planned)
  return { name, workedAfterMs, readyAfterMs: await checkRecovery(run) }
}

/** For the terminal. */
export function describeProgress({ name, workedAfterMs, readyAfterMs }: Progress): string {
  return `During ${name}: ${describeTimes(workedAfterMs)}; all ready ${seconds(readyAfterMs)} after it.`
}

/** Such as `start 0.1 s, event 0.4 s`, in the order of the operations. */
function describeTimes(times: Times): string {
  return operations
    .filter(operation => times[operation] !== undefined)
    .map(operation => `${operation} ${seconds(times[operation]!)}`)
    .join(', ')
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

/** Resolves when all operations have worked, with how many milliseconds it took. */
async function untilAllWork(
  run: Run,
  name: string,
  demanded: readonly Operation[],
  probe: Omit<Probe, 'run' | 'until'>,
): Promise<Times> {
  const begunAt = run.timeline.now()
  const times: Times = {}
  const working = demanded.map(async operation => {
    const promise = `${operation} works during: ${name}`
    const until: Probe['until'] = check => expectEventually(run, promise, check, { timeoutMs: progressMsMax })
    await probes[operation]({ run, ...probe, until })
    times[operation] = run.timeline.now() - begunAt
  })
  await Promise.all(working)
  return times
}

/** Starts what callbacks, events and polls need, also where nothing can be started meanwhile. Returns what takes one of them. */
async function startAhead(run: Run, tenants: TenantEntry[]): Promise<Probe['take']> {
  const started = new Map<TenantEntry, StartEntry[]>(tenants.map(tenant => [tenant, []]))
  const wanted = tenants.flatMap(tenant => Array.from({ length: 3 * rounds }, () => tenant))
  await inWaves(wanted.length, async index => {
    const tenant = wanted[index]!
    await expectEventually(run, 'Verifications are started before a fault', async () => {
      const entry = await startOnce(run, run.system.apis[0]!, tenant)
      if (entry.outcome === 'acknowledged') started.get(tenant)!.push(entry)
      return entry.outcome === 'acknowledged'
    })
  })
  return tenant => started.get(tenant)!.pop()!
}
