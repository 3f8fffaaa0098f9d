/** The connections of a pool, and what waits for one. */
export interface PoolUsage {
  inUse: number
  idle: number
  /** Statements and transactions that wait for a connection. */
  waiting: number
  /** Connections at most. */
  size: number
}

/** The part of a `pg` pool that tells its usage. */
export interface CountedPool {
  totalCount: number
  idleCount: number
  waitingCount: number
  options: { max: number }
}

export function poolUsageOf({ totalCount, idleCount, waitingCount, options }: CountedPool): PoolUsage {
  return { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount, size: options.max }
}
