import { availableParallelism, loadavg } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Check, Examined } from './check.ts'

/** How long this process may have waited for its turn: longer than it works at a time itself. */
const delayMsMax = 1_000
const loadMaxPerCore = 2

/** Watches whether this machine has time for the doctor. Returns the function that says since when it had not. */
export function watchMachine(): () => string | undefined {
  const delays = monitorEventLoopDelay({ resolution: 20 })
  delays.enable()
  return () => {
    delays.disable()
    return describeBusy(delays.max / 1e6, loadavg()[0]!, availableParallelism())
  }
}

/** Undefined if it isn't busy. `load`: how many processes ran or waited in the last minute. */
export function describeBusy(delayMs: number, load: number, cores: number): string | undefined {
  if (delayMs < delayMsMax && load <= loadMaxPerCore * cores) return undefined
  const waited = delayMs < delayMsMax ? '' : `; the doctor itself waited for ${Math.round(delayMs)} ms`
  return `this machine is busy (load ${Math.round(load)} of ${cores} cores${waited}), so what is asked may be in order: repeat`
}

/** Node's errors of a name that has no address, and of a DNS that doesn't answer. */
const unresolved = /\b(ENOTFOUND|EAI_AGAIN)\b/

/** The checks with one line in place of several of one cause. `busy`: why what was late may say nothing of others. */
export function judgeChecks(examined: readonly Examined[], busy: string | undefined): Check[] {
  const judge = ({ isLate, ...check }: Examined): Check =>
    isLate && busy
      ? { ...check, message: `no answer in time; ${busy}. If it stays so: ${check.message}` }
      : check
  const nameless = examined.filter(
    ({ ok, isLate, message }) => !ok && !(isLate && busy) && unresolved.test(message),
  )
  if (nameless.length < 2) return examined.map(judge)
  const names = nameless.map(({ name }) => name).join(', ')
  const message = `the names that these need have no address: ${names}. Check the DNS of this machine (/etc/resolv.conf)`
  const others = examined.filter(check => !nameless.includes(check))
  return [...others.map(judge), { name: 'dns', ok: false, message }]
}
