import { statement } from '../database/statement.ts'
import { DomainError } from '../errors.ts'
import type { TenantScope } from '../scope.ts'
import { changeVerification } from './change-verification.ts'
import type { StatusReport } from './get-verification-status.ts'

const askSoon = statement<{ id: string }>(
  'ask-provider-soon',
  `update verification set ask_provider_at = $2, asks_in_vain = 0
   where id = $1 and tenant_id = $3 and completed_at is null returning id`,
)

/**
 * The tenant says that its user came back from the hosted flow; the provider is asked for its decision at once,
 * so that a lost callback leaves nobody waiting. Throws `VERIFICATION_NOT_FOUND` and
 * `VERIFICATION_ALREADY_COMPLETED`.
 */
export async function submitVerification(scope: TenantScope, verificationId: string): Promise<StatusReport> {
  const { tenantId } = scope.actor
  const report = { by: 'tenant', outcome: 'returned' } as const
  const changed = await changeVerification(
    scope,
    verificationId,
    report,
    found => found.tenantId === tenantId,
  )
  if (!changed) throw new DomainError('VERIFICATION_NOT_FOUND')
  const { status, confidence, createdAt, completedAt, token } = changed.verification
  if (completedAt) throw new DomainError('VERIFICATION_ALREADY_COMPLETED')
  await askSoon(scope.pool, [verificationId, scope.now, tenantId])
  scope.notifier.notify('polling')
  return { verificationId, status, confidence, createdAt, completedAt, token }
}
