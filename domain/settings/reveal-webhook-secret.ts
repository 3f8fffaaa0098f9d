import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { DomainError } from '../errors.ts'
import type { Scope, TenantScope } from '../scope.ts'
import { lockTenant } from '../tenant/find-tenant.ts'
import type { WebhookSecret } from './webhook-secret.entity.ts'
import { openWebhookSecret, webhookSecrets } from './webhook-secrets.ts'

export interface RevealedSecret {
  webhookSecret: string
  /** When the previous secret stops being valid; null if there is none. */
  previousValidUntil: Date | null
}

/** The current secret. Reading it is recorded in the audit log. Throws `NOT_PROVISIONED` if there is none yet. */
export async function revealWebhookSecret(scope: TenantScope): Promise<RevealedSecret> {
  const { tenantId } = scope.actor
  return await transaction(scope, async em => {
    await lockTenant(scope, em)
    const [current, previous] = await webhookSecrets(em, tenantId, scope.now)
    if (!current) throw noSecretYet()
    recordAuditEvent(scope, em, { action: 'webhook_secret.reveal', target: current.id, changes: {} })
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
