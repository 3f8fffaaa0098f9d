import type { StatementPool } from '#domain/database/statement.ts'
import { countConfirmedAges } from '../queries/count-confirmed-ages.ts'
import { Fault } from './check.ts'

/** Fewer approvals can have no confirmed age by chance. */
const approvalsMin = 5

/** Throws a `Fault` if no approval has a confirmed age: then nobody is admitted, and nothing else says so. */
export async function describeAges(pool: StatementPool, now: Date): Promise<string> {
  const { approvals, confirmed } = await countConfirmedAges(pool, now)
  if (approvals >= approvalsMin && confirmed === 0) {
    throw new Fault(
      `of the last ${approvals} approvals none had a date of birth that could be read: the integration doesn't send it. Let its webhooks and decisions have person.dateOfBirth, in the provider’s portal`,
    )
  }
  if (approvals === 0) return 'no live verification was approved within 30 days'
  return `known for ${confirmed} of the last ${approvals} approvals`
}
