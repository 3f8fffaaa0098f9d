import type { Sender } from './clients/send.ts'
import type { Ledger } from './judge/ledger.ts'
import type { RateWindows } from './judge/rate-windows.ts'
import type { Timeline, Violations } from './judge/timeline.ts'
import type { System } from './system/system.ts'

/** What clients, faults and checks of one run share. */
export interface Run {
  seed: number
  system: System
  timeline: Timeline
  violations: Violations
  ledger: Ledger
  windows: RateWindows
  sender: Sender
  /** When Redis lost its counters, in milliseconds since the start of the run. */
  counterLosses: number[]
  /** Whether the lifetime of all verifications is over, so that they complete without a decision. */
  lifetimeIsOver: boolean
}
