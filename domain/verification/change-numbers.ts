import { text, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'

/** One time for the whole statement. */
const timeNumber = `(extract(epoch from statement_timestamp()) * 1000)::bigint`

/**
 * A statement that takes numbers for changes that tenants list, completions and later revocations: as many as `counts` says, a
 * query of `tenant_id` and `count`. `last` is the greatest of a tenant's.
 *
 * The tenant's row stays locked until the commit, so the order of the numbers is that of the commits: a reader who has seen one
 * sees no lower one later. They are above the time in milliseconds, so that after a restore they go on behind all that were given
 * before. Numbers are taken before verifications are locked: in different orders, transactions could wait for each other.
 */
export const takeNumbers = (counts: string) => `insert into change_number as n (tenant_id, last)
     select tenant_id, ${timeNumber} + count from (${counts}) c order by tenant_id
     on conflict (tenant_id) do update set last = greatest(n.last, ${timeNumber}) + excluded.last - ${timeNumber}
     returning tenant_id, last`

/** For a transaction that changes one verification. */
export const takeNumber = statement({
  name: 'take-change-number',
  text: `with taken as (
     ${takeNumbers('select :tenantId as tenant_id, 1 as count')}
   )
   select last::text as change from taken`,
  values: { tenantId: uuid },
  row: { change: text },
})
