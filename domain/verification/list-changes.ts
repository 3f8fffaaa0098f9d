import { awaitChange, type Wait } from '../await-change.ts'
import { bigint, int, text, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { invalidParameter } from '../parameters.ts'
import { firstRetainedId } from '../retention.policy.ts'
import type { ApiKeyActorScope } from '../scope.ts'
import { tokenColumns, tokenRow } from '../signing-key/age-token.ts'
import { readCursor, toCursor } from './change-cursor.ts'
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
  const { tenantId } = scope.actor
  const number = after === undefined ? '0' : readCursor(tenantId, after)
  const read = (at: ApiKeyActorScope) => readChanges(at, number, limit)
  const changes = await read(scope)
  if (changes.items.length > 0) return changes
  await assertNotAhead(scope, number)
  if (wait.waitMs === 0) return changes
  return await awaitChange(scope, {
    ...wait,
    read,
    isAwaited: ({ items }) => items.length > 0,
  })
}

async function readChanges(scope: ApiKeyActorScope, after: string, limit: number): Promise<Changes> {
  const { tenantId } = scope.actor
  const rows = await findChanges(scope.pool, { tenantId, after, from: firstRetainedId(scope), limit })
  const items = rows.map((row): ListedChange => {
    const report = toTenantReport(row, tenantId)
    const updatedAt = [report.completedAt, report.tokenRevokedAt].filter(time => time !== null)
    return { ...report, updatedAt: new Date(Math.max(...updatedAt.map(Number))) }
  })
  return { items, next: toCursor(tenantId, rows.at(-1)?.change ?? after) }
}

/** Silence would not say that changes which the client has seen are gone. */
async function assertNotAhead({ pool, actor }: ApiKeyActorScope, number: string): Promise<void> {
  const [found] = await findLastChange(pool, { tenantId: actor.tenantId })
  if (Number(number) - Number(found?.last ?? 0) <= aheadMsMax) return
  throw invalidParameter(
    'after',
    'after is more than an hour ahead of the last change: the service was restored from an older backup. List again without after.',
  )
}

export const findLastChange = statement({
  name: 'find-last-change',
  text: 'select last::text as last from change_number where tenant_id = :tenantId',
  values: { tenantId: uuid },
  row: { last: text },
})

export const findChanges = statement({
  name: 'find-changes',
  text: `select ${statusColumns}, ${tokenColumns}, v.change::text as change
   from (
     select * from verification where tenant_id = :tenantId and change > :after and id >= :from order by change limit :limit
   ) v left join (token_signer s join signing_key k on k.kid = s.kid) on s.id = v.token_signer
   order by v.change`,
  values: { tenantId: uuid, after: bigint, from: uuid, limit: int },
  row: { ...statusRow, ...tokenRow, change: text },
})
