import { int } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'

/** Counting stops here, so that it stays cheap. */
const countMax = 100_000

/**
 * Rows of months that have no partition yet, by the table that holds them; 100,000 at most. There are some only if no worker
 * has run for months, or a clock is wrong. Throws `DATABASE_ERROR`.
 */
export async function countDefaultRows(
  pool: StatementPool,
): Promise<Record<'verification_default' | 'verification_outcome_default', number>> {
  const [row] = await countDefaultPartitions(pool, { limit: countMax })
  return { verification_default: row!.verifications, verification_outcome_default: row!.outcomes }
}

export const countDefaultPartitions = statement({
  name: 'count-default-partitions',
  text: `select
     (select count(*) from (select from verification_default limit :limit) as v)::int as verifications,
     (select count(*) from (select from verification_outcome_default limit :limit) as o)::int as outcomes`,
  values: { limit: int },
  row: { verifications: int, outcomes: int },
})
