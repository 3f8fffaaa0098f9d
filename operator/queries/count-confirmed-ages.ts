import { boolean, uuid } from '#domain/database/sql-types.ts'
import { type StatementPool, statement } from '#domain/database/statement.ts'
import { firstIdAt } from '#domain/ids.ts'
import { dayMs } from '#domain/usage/usage-period.ts'

const periodMs = 30 * dayMs

/** How many approvals are looked at. */
const approvalsMax = 200

/** The newest approvals of live verifications within 30 days, at most 200, and how many have a confirmed age. */
export async function countConfirmedAges(
  pool: StatementPool,
  now: Date,
): Promise<{ approvals: number; confirmed: number }> {
  const from = firstIdAt(new Date(now.getTime() - periodMs))
  const rows = await findNewestApprovals(pool, { from, before: firstIdAt(new Date(now.getTime() + dayMs)) })
  return { approvals: rows.length, confirmed: rows.filter(({ isConfirmed }) => isConfirmed).length }
}

// The primary key has the order. Of verifications that nobody finished, many more are examined than approvals are found.
export const findNewestApprovals = statement({
  name: 'find-newest-approvals',
  text: `select v.over18 is not null as "isConfirmed" from (
      select status, over18, test from verification
      where id >= :from and id < :before order by id desc limit 10000
    ) v
    where v.status = 'approved' and not v.test limit ${approvalsMax}`,
  values: { from: uuid, before: uuid },
  row: { isConfirmed: boolean },
})
