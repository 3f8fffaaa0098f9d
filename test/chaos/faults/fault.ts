import { setTimeout as wait } from 'node:timers/promises'
import type { Effect } from '../judge/timeline.ts'
import type { Run } from '../run.ts'
import type { System } from '../system/system.ts'

/** Faults of different lanes may overlap; those of one lane follow each other. */
export const lanes = ['database', 'network', 'redis', 'process', 'surroundings', 'clock'] as const
export type Lane = (typeof lanes)[number]

/** A kind of fault. */
export interface Fault {
  name: string
  lane: Lane
  weight: number
  /** The shortest and the longest time that it lasts, in milliseconds. */
  lastsMs: readonly [number, number]
  effects: readonly Effect[]
  /** The processes that the effects are limited to; all by default. */
  processes?(system: System, planned: PlannedFault): string[]
  /** What it is applied to, for people. */
  describe?(system: System, planned: PlannedFault): string
  /** Why it can't be injected here; undefined if it can. */
  unavailable?(system: System): string | undefined
  begin(run: Run, planned: PlannedFault): Promise<void>
  /** Ends one that lasts; resolves when what it broke accepts work again. */
  heal?(run: Run, planned: PlannedFault): Promise<void>
  /** Restores redundancy, while the service works already. */
  settle?(run: Run, planned: PlannedFault): Promise<void>
}

/** A fault of the plan: what the seed has chosen. */
export interface PlannedFault {
  fault: Fault
  /** The pause before it. */
  gapMs: number
  lastsMs: number
  /** Chooses among any number of targets, by its remainder. */
  target: number
  /** Chooses among any number of variants, by its remainder. */
  variant: number
}

/** The item that a number of the plan chooses. */
export function chosen<Item>(items: readonly Item[], number: number): Item {
  return items[number % items.length]!
}

/** Such as `freeze of api-0`. */
export function nameOf(planned: PlannedFault, system: System): string {
  const { name, describe } = planned.fault
  return [name, describe?.(system, planned)].filter(Boolean).join(' ')
}

type Say = (line: string) => void

/** Injects the faults of a round, lane beside lane. Resolves when all of them are healed and settled. */
export async function runFaults(run: Run, plan: Map<Lane, PlannedFault[]>, say: Say): Promise<number> {
  const lanes = [...plan.values()].map(async faults => {
    let injected = 0
    for (const planned of faults) if (await inject(run, planned, say)) injected += 1
    return injected
  })
  const counts = await Promise.all(lanes)
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Returns false for a fault that can't be injected here. */
async function inject(run: Run, planned: PlannedFault, say: Say): Promise<boolean> {
  const { fault, gapMs, lastsMs } = planned
  const { system, timeline } = run
  const name = nameOf(planned, system)
  const unavailable = fault.unavailable?.(system)
  if (unavailable) {
    say(`begin  ${name}: skipped, ${unavailable}`)
    return false
  }
  await wait(gapMs)
  const { effects, processes } = fault
  const active = timeline.begin({ name, effects, processes: processes?.(system, planned) })
  say(`begin  ${name} for ${(lastsMs / 1_000).toFixed(1)} s`)
  await fault.begin(run, planned)
  await wait(lastsMs)
  await fault.heal?.(run, planned)
  timeline.end(active)
  say(`healed ${name}`)
  await fault.settle?.(run, planned)
  return true
}
