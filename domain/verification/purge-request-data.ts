import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'

const batch = 1000

const forget = statement<{ id: string }>(
  'forget-request-data',
  `update verification set user_agent = null, ip = null, forget_at = null where id in (
     select id from verification where forget_at <= $1 order by forget_at limit $2 for update skip locked
   ) returning id`,
)

/** Forgets the `ip` and `userAgent` of old verifications. Answers with their number. */
export async function purgeRequestData(scope: Scope): Promise<number> {
  return (await forget(scope.pool, [scope.now, batch])).length
}
