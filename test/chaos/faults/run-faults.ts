import { setTimeout as wait } from 'node:timers/promises'
import type { Run } from '../run.ts'
import type { Lane, PlannedFault } from './fault.ts'

export interface FaultLog {
  begun(line: string): void
  healed(line: string): void
}

/** Injects the faults of a round, lane beside lane. Resolves when all of them are healed and settled. */
export async function runFaults(run: Run, plan: Map<Lane, PlannedFault[]>, log: FaultLog): Promise<number> {
  const lanes = [...plan.values()].map(async faults => {
    let injected = 0
    for (const planned of faults) if (await inject(run, planned, log)) injected += 1
    return injected
  })
  const counts = await Promise.all(lanes)
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Returns false for a fault that can't be injected here. */
async function inject(run: Run, planned: PlannedFault, log: FaultLog): Promise<boolean> {
  const { fault, gapMs, lastsMs } = planned
  const { system, timeline } = run
  const name = [fault.name, fault.describe?.(system, planned)].filter(Boolean).join(' ')
  const unavailable = fault.unavailable?.(system)
  if (unavailable) {
    log.begun(`${name}: skipped, ${unavailable}`)
    return false
  }
  await wait(gapMs)
  const { effects, processes } = fault
  const active = timeline.begin({ name, effects, processes: processes?.(system, planned) })
  log.begun(`${name} for ${(lastsMs / 1_000).toFixed(1)} s`)
  await fault.begin(run, planned)
  await wait(lastsMs)
  await fault.heal(run, planned)
  timeline.end(active)
  log.healed(name)
  await fault.settle?.(run, planned)
  return true
}
