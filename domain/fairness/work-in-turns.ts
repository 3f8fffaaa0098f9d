import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Spreads work over turns of the event loop, in which others have theirs: what it returns resolves for each call, in the order
 * of the calls, for at most so many in a turn.
 */
export function workInTurns(perTurn: number): () => Promise<void> {
  let latest = Promise.resolve()
  let calls = 0
  return () => {
    if (calls % perTurn === 0) latest = latest.then(() => nextTurn())
    calls += 1
    return latest
  }
}
