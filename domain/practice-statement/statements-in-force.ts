import type { Scope } from '../scope.ts'
import { listStatements, type StatementVersion } from './get-statement.ts'

/**
 * The versions of the practice statement that were in force at any time from `from` until before `to`, oldest first. Of
 * these, the first may be in force since before `from`. Throws `DATABASE_ERROR`.
 */
export async function statementsInForce(
  scope: Pick<Scope, 'pool'>,
  from: Date,
  to: Date,
): Promise<StatementInForce[]> {
  const versions = (await listStatements(scope)).toReversed()
  const isOver = (until: Date | undefined) => until !== undefined && until <= from
  return versions.filter(({ since }, at) => since < to && !isOver(versions[at + 1]?.since))
}

export type StatementInForce = StatementVersion
