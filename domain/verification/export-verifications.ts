import type { TenantScope } from '../scope.ts'
import { type ChangeDescription, findDecision } from './decision.ts'
import { findVerifications } from './find-verifications.ts'
import { type ListedVerification, listed } from './list-verifications.ts'
import { toSelection, type VerificationFilter } from './verification-filter.ts'

export interface ExportedVerification extends ListedVerification {
  /** The change that completed it; null while it is open. */
  decision: ChangeDescription | null
}

const batchSize = 500

/**
 * All verifications that a filter selects, newest first, read in batches as the caller takes them. Throws
 * `INVALID_PARAMETERS` before the first one, and `DATABASE_ERROR`.
 */
export async function* exportVerifications(
  scope: TenantScope,
  filter: VerificationFilter = {},
): AsyncGenerator<ExportedVerification, void, undefined> {
  const selection = toSelection(scope, filter)
  let cursor: string | null | undefined
  do {
    const { rows, examinedTo } = await findVerifications(scope, selection, {
      after: cursor,
      limit: batchSize,
    })
    for (const row of rows) {
      const verification = listed(row)
      yield { ...verification, decision: verification.completedAt && findDecision(row.timeline) }
    }
    cursor = rows.length === batchSize ? rows.at(-1)?.id : examinedTo
  } while (cursor)
}
