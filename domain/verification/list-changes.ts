import { awaitChange, type Wait } from '../await-change.ts'
import { bigint, int, text, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { firstRetainedId } from '../retention.policy.ts'
import type { ApiKeyActorScope } from '../scope.ts'
import { tokenColumns, tokenRow } from '../signing-key/age-token.ts'
import { toTenantReport } from './get-verification-status.ts'
import { type StatusReport, statusColumns, statusRow } from './status-report.ts'

export interface ListedChange extends StatusReport {
  /** When it was completed, or its token was revoked afterwards. */
  updatedAt: Date
}

export interface Changes {
  items: ListedChange[]
  /** The number of the last one, or else what was given: the next `after`. */
  next: string
}

/** Before every change. */
export const beforeAll = '0'

export interface ChangesRequest extends Wait {
  /** Decimal digits. */
  after: string
  limit: number
}

/**
 * The tenant's completed verifications that follow a number, in the order of their last change: the completion, or the
 * revocation of the token. If there are none, it waits for the next. Throws as `awaitChange` does.
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

async function readChanges(scope: ApiKeyActorScope, after: string, limit: number): Promise<Changes> {
  const { tenantId } = scope.actor
  const rows = await findChanges(scope.pool, { tenantId, after, from: firstRetainedId(scope), limit })
  const items = rows.map((row): ListedChange => {
    const report = toTenantReport(row, tenantId)
    const updatedAt = [report.completedAt, report.tokenRevokedAt].filter(time => time !== null)
    return { ...report, updatedAt: new Date(Math.max(...updatedAt.map(Number))) }
  })
  return { items, next: rows.at(-1)?.change ?? after }
}

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
