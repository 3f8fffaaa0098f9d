import { DomainError } from '../errors.ts'
import { DeletionRejected, type DeletionRejection, ProviderUnavailable } from '../ports.ts'
import type { Scope } from '../scope.ts'
import { providerOf } from '../tenant/test-tenant.policy.ts'
import type { Verification } from '../verification/verification.entity.ts'

/** What became of a session at the provider: it did not know it, or isn't configured, or was not asked. */
export type ProviderDeletion = 'deleted' | 'unknown' | 'skipped'

export type DeletableSession = Pick<Verification, 'test' | 'providerSessionId'>

/**
 * Deletes a session at the provider, before the verification that names it is deleted, so that a failure can be repeated.
 * Throws `INTERNAL_ERROR` with `details.dependency` if the provider keeps it.
 */
export async function deleteAtProvider(scope: Scope, session: DeletableSession): Promise<ProviderDeletion> {
  try {
    return (await providerOf(scope, session)?.deleteSession(session.providerSessionId)) ?? 'unknown'
  } catch (error) {
    if (error instanceof DeletionRejected) throw kept(rejections[error.rejection])
    if (error instanceof ProviderUnavailable) throw kept(`it is not available: ${error.message}.`)
    throw error
  }
}

const rejections: Record<DeletionRejection, string> = {
  in_progress: 'the person is in the middle of it. Repeat this when the verification is decided.',
  rate_limited: 'it allows no more deletions for now. Repeat this in an hour, or tomorrow.',
  not_enabled: 'deletion is not enabled for the integration. Ask the provider to enable it.',
}

function kept(reason: string): DomainError {
  return new DomainError('INTERNAL_ERROR', {
    message: `The identity provider keeps the session: ${reason}`,
    details: { dependency: 'identity_provider' },
  })
}
