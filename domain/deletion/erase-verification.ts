import { LockMode } from '@mikro-orm/postgresql'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { inTransaction, transaction } from '../database/transaction.ts'
import { assertStillMember } from '../member/assert-still-member.ts'
import { forTenant, type MemberScope, type OperatorScope } from '../scope.ts'
import { findStored } from '../verification/find-verification.ts'
import { deleteVerifications } from './delete-verifications.ts'
import { endSessions } from './end-sessions.ts'
import { type EndedSession, type ErasureReceipt, erasureReceipt, isOfMember } from './erasure-receipt.ts'

/**
 * Erases a verification at once, with its timeline, token and deliveries, and queues its session for the deletion at the
 * provider, unless `skipProvider`. What remains are the counts of the tenant's usage, and audit events that name its id. From
 * then on it is not found, nor is its token; an open one ends without an event, and results of the provider change nothing.
 * Repeated, it returns the receipt again. Throws `VERIFICATION_NOT_FOUND`, also for another tenant's than the member's, and as
 * `assertStillMember` does.
 */
export async function eraseVerification(
  scope: OperatorScope | MemberScope,
  { verificationId, skipProvider = false }: { verificationId: string; skipProvider?: boolean },
): Promise<ErasureReceipt> {
  await transaction(scope, async em => {
    const found = await findStored({ ...scope, em }, verificationId, LockMode.PESSIMISTIC_WRITE)
    // It may have been erased: then there is a receipt.
    if (!found) return
    const { tenantId, test, tokenId } = found
    const tenantScope = isOfMember(scope) ? scope : forTenant(scope, tenantId)
    await assertStillMember(tenantScope, em)
    const of = { tenantId, now: scope.now }
    const sessions = { ...of, verificationIds: [found.id], queues: !skipProvider }
    const [ended] = await endSessions(inTransaction(em), sessions)
    const atProvider = skipProvider ? 'not_asked' : 'queued'
    const here = ended!.deleted > 0 ? 'deleted' : 'unknown'
    const session: EndedSession = test ? here : atProvider
    const rows = await deleteVerifications(em, of, [found])
    const changes = { verifications: 1, tokens: tokenId ? 1 : 0, ...rows, session }
    recordAuditEvent(tenantScope, em, { action: 'verification.erase', target: found.id, changes })
  })
  return await erasureReceipt(scope, { verificationId })
}
