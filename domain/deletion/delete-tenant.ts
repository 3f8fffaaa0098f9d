import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import { recordServiceAuditEvent } from '../audit/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { invalidParameter } from '../parameters.ts'
import type { TenantOperatorScope } from '../scope.ts'
import { setTenantEnabled } from '../tenant/change-tenant-access.ts'
import { changeTenant, findTenant } from '../tenant/find-tenant.ts'
import { Tenant } from '../tenant/tenant.entity.ts'
import { Verification } from '../verification/verification.entity.ts'
import { deleteAtProvider } from './delete-at-provider.ts'
import { deleteTenantRows } from './delete-tenant-rows.ts'
import { deleteVerifications } from './delete-verifications.ts'

export interface TenantDeletion {
  /** The name of the tenant, so that no other one is deleted. */
  name: string
  /** Whether the sessions stay at the provider. */
  skipProvider: boolean
  /** Gets the sessions of the verifications that are deleted next; more than once if that fails. */
  onSessions?: ((providerSessionIds: string[]) => Promise<void>) | undefined
}

/** Verifications per transaction, if their sessions are not deleted one by one. */
const batchSize = 500

/**
 * Deletes a tenant with everything that belongs to it, except for the counts of its usage. Its keys and members are
 * rejected from the beginning; everything else is deleted in many transactions, beside running services. Repeat it after
 * an error or a crash: it resumes where it stopped. Throws `INVALID_PARAMETERS` for an unknown tenant or another name, and
 * `INTERNAL_ERROR` with `details.dependency` if the provider keeps a session.
 */
export async function deleteTenant(scope: TenantOperatorScope, deletion: TenantDeletion): Promise<void> {
  const { tenantId } = scope.actor
  const { name } = await findTenant(scope)
  if (name !== deletion.name) throw invalidParameter('name', 'The tenant has another name.')
  await setTenantEnabled(scope, { enabled: false })
  await changeTenant(scope, async (_, tenant) => {
    tenant.webhookUrl = null
  })
  while (await transaction(scope, em => deleteTenantRows(em, tenantId)));
  do await deleteAllVerifications(scope, deletion)
  while (!(await finish(scope, deletion)))
}

async function deleteAllVerifications(scope: TenantOperatorScope, deletion: TenantDeletion): Promise<void> {
  let last: string | undefined = nilUuid
  while (last !== undefined) last = await deleteNextVerifications(scope, deletion, last)
}

const nilUuid = '00000000-0000-0000-0000-000000000000'

/** Those that follow a verification, so that what was deleted is not read again. Returns the last; undefined if none. */
async function deleteNextVerifications(
  scope: TenantOperatorScope,
  { skipProvider, onSessions }: TenantDeletion,
  after: string,
): Promise<string | undefined> {
  const { tenantId } = scope.actor
  const next = await findFollowing(
    scope.em,
    tenantId,
    { $gt: after },
    { limit: skipProvider ? batchSize : 1 },
  )
  const last = next.at(-1)?.id
  if (last === undefined) return undefined
  await onSessions?.(next.map(({ providerSessionId }) => providerSessionId))
  if (!skipProvider) for (const session of next) await deleteAtProvider(scope, session)
  await transaction(scope, async em => {
    const these = { $gt: after, $lte: last, $in: next.map(({ id }) => id) }
    const locked = await findFollowing(em, tenantId, these, { lockMode: LockMode.PESSIMISTIC_WRITE })
    await deleteVerifications(em, { tenantId, now: scope.now }, locked)
  })
  return last
}

/** Deletes the tenant itself. Returns false if a request that had begun before has stored a verification meanwhile. */
async function finish(scope: TenantOperatorScope, { skipProvider }: TenantDeletion): Promise<boolean> {
  const { tenantId } = scope.actor
  // No request can add anything that refers to the tenant while it is locked.
  return await changeTenant(scope, async em => {
    await deleteTenantRows(em, tenantId)
    if (await em.findOne(Verification, { tenantId }, { fields: ['id'] })) return false
    await em.nativeDelete(Tenant, { id: tenantId })
    const changes = { provider: skipProvider ? 'skipped' : 'deleted' }
    recordServiceAuditEvent(scope, em, { action: 'tenant.delete', target: tenantId, changes })
    return true
  })
}

/** In the order in which all are locked. */
async function findFollowing(
  em: EntityManager,
  tenantId: string,
  id: { $gt: string; $lte?: string; $in?: string[] },
  options: { limit?: number; lockMode?: LockMode.PESSIMISTIC_WRITE },
) {
  const fields = ['completedAt', 'test', 'providerSessionId'] as const
  return await em.find(Verification, { tenantId, id }, { ...options, fields, orderBy: { id: 'asc' } })
}
