import { LockMode } from '@mikro-orm/postgresql'
import { recordServiceAuditEvent } from '../audit/record-audit-event.ts'
import { inTransaction, transaction } from '../database/transaction.ts'
import { invalidParameter } from '../parameters.ts'
import type { TenantOperatorScope } from '../scope.ts'
import { setTenantEnabled } from '../tenant/change-tenant-access.ts'
import { changeTenant, findTenant } from '../tenant/find-tenant.ts'
import { Tenant } from '../tenant/tenant.entity.ts'
import { Verification } from '../verification/verification.entity.ts'
import { deleteTenantRows } from './delete-tenant-rows.ts'
import { deleteVerifications } from './delete-verifications.ts'
import { endSessions } from './end-sessions.ts'

export interface TenantDeletion {
  /** The name of the tenant, so that no other one is deleted. */
  name: string
  /** Whether the sessions stay at the provider; otherwise they are queued for their deletion. */
  skipProvider: boolean
  /** Gets the sessions of the verifications that are deleted next; more than once if that fails. */
  onSessions?: ((providerSessionIds: string[]) => Promise<void>) | undefined
}

/** Verifications per transaction. */
const batchSize = 500

/**
 * Deletes a tenant with everything that belongs to it, except for the counts of its usage. Its keys and members are
 * rejected from the beginning; everything else is deleted in many transactions, beside running services. Repeat it after
 * an error or a crash: it resumes where it stopped. Throws `INVALID_PARAMETERS` for an unknown tenant or another name.
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
  const of = { tenantId: scope.actor.tenantId, now: scope.now }
  return await transaction(scope, async em => {
    const next = await em.find(
      Verification,
      { tenantId: of.tenantId, id: { $gt: after } },
      {
        fields: ['completedAt', 'providerSessionId'],
        orderBy: { id: 'asc' },
        limit: batchSize,
        lockMode: LockMode.PESSIMISTIC_WRITE,
      },
    )
    const verificationIds = next.map(({ id }) => id)
    if (next.length > 0) await onSessions?.(next.map(({ providerSessionId }) => providerSessionId))
    await endSessions(inTransaction(em), { ...of, verificationIds, queues: !skipProvider })
    await deleteVerifications(em, of, next)
    return verificationIds.at(-1)
  })
}

/** Deletes the tenant itself. Returns false if a request that had begun before has stored a verification meanwhile. */
async function finish(scope: TenantOperatorScope, { skipProvider }: TenantDeletion): Promise<boolean> {
  const { tenantId } = scope.actor
  // No request can add anything that refers to the tenant while it is locked.
  return await changeTenant(scope, async em => {
    await deleteTenantRows(em, tenantId)
    if (await em.findOne(Verification, { tenantId }, { fields: ['id'] })) return false
    await em.nativeDelete(Tenant, { id: tenantId })
    const changes = { sessions: skipProvider ? 'not_asked' : 'queued' }
    recordServiceAuditEvent(scope, em, { action: 'tenant.delete', target: tenantId, changes })
    return true
  })
}
