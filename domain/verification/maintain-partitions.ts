import { advisoryLocks, lockAdvisory } from '../database/advisory-locks.ts'
import { date, int, timestamp } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import { inTransaction, transaction } from '../database/transaction.ts'
import { firstRetainedId, retainedFrom } from '../retention.policy.ts'
import type { Scope } from '../scope.ts'
import { dayOf } from '../usage/usage-period.ts'
import { OpenVerification } from './open-verification.entity.ts'

/** How far ahead partitions are created: longer than any service is unattended or any clock is wrong. */
const monthsAhead = 3

/**
 * Creates the partitions of this month and the next three, and drops those in which every verification has expired.
 * A verification without a partition is stored in the default one until its month has one, so nothing fails if this
 * did not run. One worker at a time does it. Returns how many partitions were created or dropped.
 * Throws `DATABASE_ERROR`, also if the tables are locked for more than 2 s.
 */
export async function maintainPartitions(scope: Scope): Promise<number> {
  return (await createComingPartitions(scope)) + (await dropPartitions(scope))
}

/** Creates the partitions of this month and the next three. Returns how many there were none of. */
export async function createComingPartitions(scope: Scope): Promise<number> {
  const { now } = scope
  const last = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + monthsAhead)
  return await createPartitions(scope, now, new Date(last))
}

/** Creates the missing partitions of the months from one time to another. Returns their number. */
export async function createPartitions(scope: Scope, from: Date, to: Date): Promise<number> {
  const months = { from: dayOf(from), to: dayOf(to) }
  return await inEachTable(scope, ({ create }, pool) => create(pool, months))
}

/** Also what was never completed goes with its partition: it has no open row any more. */
async function dropPartitions(scope: Scope): Promise<number> {
  await scope.em.nativeDelete(OpenVerification, { verificationId: { $lt: firstRetainedId(scope) } })
  return await inEachTable(scope, ({ drop }, pool) => drop(pool, { before: retainedFrom(scope) }))
}

/** In a transaction for each table, so that no statement that uses both can deadlock with it. */
async function inEachTable(
  scope: Scope,
  change: (table: PartitionedTable, pool: StatementPool) => Promise<{ count: number }[]>,
): Promise<number> {
  let total = 0
  for (const table of [verifications, outcomes]) {
    total += await transaction(scope, async em => {
      await lockAdvisory(em, advisoryLocks.verificationPartitions)
      const [row] = await change(table, inTransaction(em))
      return row?.count ?? 0
    })
  }
  return total
}

type PartitionedTable = ReturnType<typeof partitionedTable>

/** Declares the statements that change the partitions of a table. */
function partitionedTable(table: string) {
  const create = statement({
    name: `create-${table}-partitions`,
    text: `select create_verification_partitions('${table}', :from, :to) as count`,
    values: { from: date, to: date },
    row: { count: int },
  })
  const drop = statement({
    name: `drop-${table}-partitions`,
    text: `select drop_verification_partitions('${table}', :before) as count`,
    values: { before: timestamp },
    row: { count: int },
  })
  return { create, drop, statements: [create, drop] as const }
}

export const verifications = partitionedTable('verification')
export const outcomes = partitionedTable('verification_outcome')
