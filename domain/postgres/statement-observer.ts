/** Receives the outcome of each statement of a pool, for metrics. It must not throw. */
export interface StatementObserver {
  /** A statement has ended, also with an error. `name`: of a prepared statement; `orm` for any other. */
  ended(name: string, durationMs: number, error?: unknown): void
  /** No connection of the pool was free in time. */
  poolTimedOut(): void
}

type Callback = (error: unknown, ...results: unknown[]) => void

/** Sends a statement, given as to `pg`'s `query`, with a callback or for a promise, and tells when it has ended. */
export function sendObserved(
  given: readonly unknown[],
  send: (...given: readonly unknown[]) => unknown,
  settled: (error?: unknown) => void,
): unknown {
  const callback = given.at(-1)
  if (typeof callback === 'function')
    return send(...given.slice(0, -1), settledBefore(callback as Callback, settled))
  const sent = send(...given)
  if (sent instanceof Promise) sent.then(() => settled(), settled)
  // An object that receives the rows itself has no end that could be seen here.
  else settled()
  return sent
}

function settledBefore(callback: Callback, settled: (error: unknown) => void): Callback {
  return (error, ...results) => {
    settled(error)
    callback(error, ...results)
  }
}

interface ObservedPool {
  connect(callback?: Callback): unknown
}

/** Reports each wait for a connection of the pool that has timed out. */
export function observePool(pool: ObservedPool, observer: StatementObserver): void {
  const connect = pool.connect.bind(pool) as (...given: readonly unknown[]) => unknown
  const settled = (error?: unknown) => {
    if ((error as Error | undefined)?.message === 'timeout exceeded when trying to connect')
      observer.poolTimedOut()
  }
  pool.connect = (...given) => sendObserved(given, connect, settled)
}
