import { awaitChange, type Wait } from '../await-change.ts'
import { bigint, boolean, int, text, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { firstRetainedId } from '../retention.policy.ts'
import type { ApiKeyActorScope } from '../scope.ts'
import { tokenColumns, tokenRow } from '../signing-key/age-token.ts'
import { type ChangePosition, changePlace, toCursor } from './changes-cursor.ts'
import { changeEpoch } from './continue-changes.ts'
import { toTenantReport } from './get-verification-status.ts'
import { type StatusReport, statusColumns, statusRow } from './status-report.ts'

export interface ListedChange extends StatusReport {
  /** When it was completed, or its token was revoked afterwards. */
  updatedAt: Date
}

export interface Changes {
  items: ListedChange[]
  /** The cursor of the last one, or else what was given: the next `after`. */
  next: string
}

export interface ChangesRequest extends Wait {
  after: ChangePosition
  limit: number
}

/**
 * The tenant's completed verifications that follow a position, in the order of their last change: the completion, or the
 * revocation of the token. If there are none, it waits for the next. Throws as `awaitChange` does.
 *
 * It lists only what can't be preceded any more by a change that is not committed yet: nothing is ever skipped, and a
 * transaction that is open for long, also of another database of the cluster, holds all later changes back.
 */
export async function listChanges(
  scope: ApiKeyActorScope,
  { after, limit, ...wait }: ChangesRequest,
): Promise<Changes> {
  const read = (at: ApiKeyActorScope) => readChanges(at, after, limit)
  if (wait.waitMs === 0) return await read(scope)
  return await awaitChange(scope, {
    ...wait,
    read,
    isAwaited: ({ items }) => items.length > 0,
  })
}

async function readChanges(scope: ApiKeyActorScope, after: ChangePosition, limit: number) {
  const { tenantId } = scope.actor
  const rows = await findChanges(scope.pool, { tenantId, ...after, from: firstRetainedId(scope), limit })
  const decided = rows.filter(({ isDecided }) => isDecided)
  const items = decided.map((row): ListedChange => {
    const report = toTenantReport(row, tenantId)
    const updatedAt = [report.completedAt, report.tokenRevokedAt].filter(time => time !== null)
    return { ...report, updatedAt: new Date(Math.max(...updatedAt.map(Number))) }
  })
  return { items, next: toCursor(decided.at(-1) ?? after) }
}

export const findChanges = statement({
  name: 'find-changes',
  text: `select ${statusColumns}, ${tokenColumns}, v.change::text as change,
     v.change < (${changeEpoch} | pg_snapshot_xmin(pg_current_snapshot())::text::bigint) as "isDecided"
   from (
     select * from verification
     where tenant_id = :tenantId and ${changePlace('change', 'id')} >= ${changePlace(':change', ':verificationId')}
       and (change, id) > (:change, :verificationId) and completed_at is not null and id >= :from
     order by ${changePlace('change', 'id')}, change, id limit :limit
   ) v left join (token_signer s join signing_key k on k.kid = s.kid) on s.id = v.token_signer
   order by v.change, v.id`,
  values: { tenantId: uuid, change: bigint, verificationId: uuid, from: uuid, limit: int },
  row: { ...statusRow, ...tokenRow, change: text, isDecided: boolean },
})
