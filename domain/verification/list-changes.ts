import { awaitChange, type Wait } from '../await-change.ts'
import { bigint, int, nullable, text, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { invalidParameter } from '../parameters.ts'
import { firstRetainedId } from '../retention.policy.ts'
import type { ApiKeyActorScope } from '../scope.ts'
import { tokenJoins } from '../signing-key/age-token.ts'
import { readCursor, toCursor } from './change-cursor.ts'
import { toTenantReport } from './get-verification-status.ts'
import type { StatusReport } from './status-report.ts'
import { storedColumns, storedRow } from './stored-verification.ts'

export interface ListedChange extends StatusReport {
  /** When it was completed, or its token was revoked afterwards. */
  updatedAt: Date
}

export interface Changes {
  items: ListedChange[]
  /** The cursor of the last one, or else what was given, behind changes that are missing: the next `after`. */
  next: string
  /** Changes that follow the cursor given, up to this time, were deleted by retention; said once, by passing them. */
  missedBefore?: Date
}

export interface ChangesRequest extends Wait {
  /** A cursor; before the oldest change without it. */
  after?: string | undefined
  limit: number
}

/** A cursor that is further ahead of the last number was given before the database was restored from a backup. */
const aheadMsMax = 60 * 60 * 1000

/**
 * The tenant's completed verifications that follow a cursor, in the order of their last change: the completion, or the
 * revocation of the token. If there are none, it waits for the next. Throws `INVALID_PARAMETERS` for a cursor that the tenant was
 * never given, and one that is more than an hour ahead of the tenant's last change; and as `awaitChange` does.
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
    isAwaited: ({ items, missedBefore }) => items.length > 0 || missedBefore !== undefined,
  })
}

async function readChanges(
  scope: ApiKeyActorScope,
  cursor: string | undefined,
  limit: number,
): Promise<Changes> {
  const { tenantId } = scope.actor
  const after = cursor === undefined ? '0' : readCursor(tenantId, cursor)
  const rows = await findChanges(scope.pool, { tenantId, after, from: firstRetainedId(scope), limit })
  const changes = rows.filter(row => row.change !== null)
  const items = changes.map((row): ListedChange => {
    const report = toTenantReport(row, tenantId)
    const updatedAt = [report.completedAt, report.tokenRevokedAt].filter(time => time !== null)
    return { ...report, updatedAt: new Date(Math.max(...updatedAt.map(Number))) }
  })
  if (items.length === 0) assertNotAhead(after, rows[0]?.last)
  const listed = Number(changes.at(-1)?.change ?? after)
  const deleted = Number(rows[0]?.deleted ?? 0)
  // A page that is full may be followed by lower numbers: a revocation gives a number long before retention deletes others.
  const next = items.length < limit ? Math.max(listed, deleted) : listed
  const isMissed = cursor !== undefined && Number(after) < deleted && deleted <= next
  return {
    items,
    next: toCursor(tenantId, String(next)),
    ...(isMissed && { missedBefore: new Date(deleted) }),
  }
}

/** Silence would not say that changes which the client has seen are gone. */
function assertNotAhead(number: string, last: string | null | undefined): void {
  if (Number(number) - Number(last ?? 0) <= aheadMsMax) return
  throw invalidParameter(
    'after',
    'after is more than an hour ahead of the last change: the service was restored from an older backup. List again without after.',
  )
}

/**
 * One row without a `change` if there are none: what was given and deleted is seen together with what is listed. Deleted is also
 * what has expired before the last one listed, and will be deleted soon.
 */
export const findChanges = statement({
  name: 'find-changes',
  text: `with listed as (
     select * from verification where tenant_id = :tenantId and change > :after and id >= :from order by change limit :limit
   )
   select ${storedColumns}, v.change::text as change, n.last::text as last, greatest(t.deleted_change, (
     select max(change) from verification where tenant_id = :tenantId and id < :from
       and change > :after and change < (select max(change) from listed)
   ))::text as deleted
   from tenant t left join change_number n on n.tenant_id = t.id left join listed v on true ${tokenJoins}
   where t.id = :tenantId order by v.change`,
  values: { tenantId: uuid, after: bigint, from: uuid, limit: int },
  row: { ...storedRow, change: nullable(text), last: nullable(text), deleted: nullable(text) },
})
