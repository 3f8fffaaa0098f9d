import type { Violation } from './judge/timeline.ts'
import type { ChaosResult } from './run-chaos.ts'

/** The verdict of a run, for the terminal. */
export function verdict({ violations, ...result }: ChaosResult): string {
  const { faults, seconds, requests, starts, completions, attempts, recoveryMs, busySeconds } = result
  const slowest = Math.max(0, ...recoveryMs)
  const lines = [
    `${faults} faults in ${Math.round(seconds)} s: ${requests} requests, ${starts} starts, ${completions} completions, ` +
      `${attempts} attempts of events.`,
    `After the last fault of a round, all processes were ready within ${Math.round(slowest)} ms.`,
    ...(busySeconds < 1
      ? []
      : [`The machine was busy for ${Math.round(busySeconds)} s, in which deadlines didn't count.`]),
    violations.length === 0 ? 'No violation.' : `${violations.length} violations.`,
  ]
  return lines.join('\n')
}

const shownMax = 10

/** The first violations, with their facts. */
export function describeViolations(violations: readonly Violation[]): string {
  return violations.slice(0, shownMax).map(describe).join('\n\n')
}

function describe({ atMs, promise, facts, faults }: Violation): string {
  const during = faults.length === 0 ? 'without a fault in effect' : `during: ${faults.join('; ')}`
  return `VIOLATION at ${(atMs / 1_000).toFixed(1)} s: ${promise}\n  ${during}\n${indent(JSON.stringify(facts, null, 2))}`
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}
