import { setImmediate as nextTurn } from 'node:timers/promises'

/** Spreads work of milliseconds: what it returns resolves once for each call, in a turn of the event loop of its own. */
export function oneInATurn(): () => Promise<void> {
  let latest = Promise.resolve()
  return () => {
    latest = latest.then(() => nextTurn())
    return latest
  }
}
