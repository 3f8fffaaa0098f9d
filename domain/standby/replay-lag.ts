import { text } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'

export interface ReplayLag {
  /** Compares the positions. Throws if one of the servers does not answer. */
  sample(): Promise<void>
  /** How far the standby is behind, at most; Infinity if it is not known. Milliseconds. */
  ms(): number
}

/**
 * The position in the write-ahead log, in bytes: what a primary has written, or a standby has replayed. Needs no rights
 * beyond those that every role has.
 */
export const findLogPosition = statement({
  name: 'find-log-position',
  text: `select pg_wal_lsn_diff(
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, '0/0'
  )::text as position`,
  values: {},
  row: { position: text },
})

/** Older positions of the primary are of no use: beyond them, a standby isn't read. */
const historyMs = 30_000

/**
 * Measures how far a standby is behind, without a clock of its own: the age of the newest position of the primary that
 * the standby has replayed. Unlike `now() - pg_last_xact_replay_timestamp()` it doesn't grow while nothing is written.
 */
export function createReplayLag(
  primary: StatementPool,
  standby: StatementPool,
  now: () => number = () => performance.now(),
): ReplayLag {
  let history: { at: number; position: bigint }[] = []
  let currentAt = -Infinity
  return {
    async sample() {
      const at = now()
      const [written, replayed] = await Promise.all([position(primary), position(standby)])
      history = [...history.filter(known => at - known.at < historyMs), { at, position: written }]
      currentAt = history.findLast(known => known.position <= replayed)?.at ?? -Infinity
    },
    ms: () => now() - currentAt,
  }
}

async function position(pool: StatementPool): Promise<bigint> {
  const [row] = await findLogPosition(pool, {})
  // A standby that has replayed nothing yet has no position.
  return BigInt(row?.position ?? -1)
}
