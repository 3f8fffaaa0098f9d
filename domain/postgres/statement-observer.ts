/** Receives the outcome of each statement of a pool, for metrics. It must not throw. */
export interface StatementObserver {
  /** A statement has ended, also with an error. `name`: of a prepared statement; `orm` for any other. */
  ended(name: string, durationMs: number): void
  /** `pool`: no connection was free in time; `statement`: the server has cancelled it, mostly by `statement_timeout`. */
  timedOut(kind: StatementTimeout): void
}

export const statementTimeouts = ['pool', 'statement'] as const
export type StatementTimeout = (typeof statementTimeouts)[number]

type Callback = (error: unknown, ...results: unknown[]) => void

const canceled = '57014'

/** Sends a statement, given as to `pg`'s `query`, with a callback or for a promise, and reports its outcome. */
export function observeQuery(
  observer: StatementObserver,
  given: readonly unknown[],
  send: (given: readonly unknown[]) => unknown,
): unknown {
  const startedAt = performance.now()
  const { name = 'orm' } = given[0] as { name?: string }
  const settled = (error?: unknown) => {
    observer.ended(name || 'orm', performance.now() - startedAt)
    if ((error as { code?: unknown } | null | undefined)?.code === canceled) observer.timedOut('statement')
  }
  const sent = send(
    given.map(each => (typeof each === 'function' ? settledBefore(each as Callback, settled) : each)),
  )
  if (sent instanceof Promise) sent.then(() => settled(), settled)
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
  const connect = pool.connect.bind(pool)
  const settled = (error: unknown) => {
    if ((error as Error | undefined)?.message === 'timeout exceeded when trying to connect')
      observer.timedOut('pool')
  }
  pool.connect = callback => {
    if (callback) return connect(settledBefore(callback, settled))
    const connecting = connect() as Promise<unknown>
    connecting.catch(settled)
    return connecting
  }
}
