import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { DomainError } from '../errors.ts'
import type { Scope } from '../scope.ts'
import { lockTenant } from './find-tenant.ts'
import type { WebhookSecret } from './webhook-secret.entity.ts'
import { openWebhookSecret, webhookSecrets } from './webhook-secrets.ts'

export interface RevealedSecret {
  webhookSecret: string
  /** Until when the secret before this one is accepted; null when there is none. */
  previousValidUntil: Date | null
}

/** The current secret; that it was read is written down. Throws `NOT_PROVISIONED` before there is one. */
export async function revealWebhookSecret(
  scope: Scope,
  { tenantId }: { tenantId: string },
): Promise<RevealedSecret> {
  return await transaction(scope, async em => {
    await lockTenant(em, tenantId)
    const [current, previous] = await webhookSecrets(em, tenantId, scope.now)
    if (!current) throw noSecretYet()
    const action = 'webhook_secret.reveal'
    recordAuditEvent(scope, em, { tenantId, action, target: current.id, changes: {} })
    return revealed(scope, current, previous)
  })
}

export function revealed(scope: Scope, current: WebhookSecret, previous?: WebhookSecret): RevealedSecret {
  return {
    webhookSecret: openWebhookSecret(scope.cipher, current),
    previousValidUntil: previous?.expiresAt ?? null,
  }
}

export function noSecretYet(): DomainError {
  return new DomainError('NOT_PROVISIONED', {
    message: 'There is no webhook secret yet; set a webhook URL first.',
  })
}
