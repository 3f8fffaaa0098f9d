import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import type { TenantScope } from '../scope.ts'
import { lockTenant } from '../tenant/find-tenant.ts'
import { noSecretYet, type RevealedSecret, revealed } from './reveal-webhook-secret.ts'
import { addWebhookSecret, webhookSecrets } from './webhook-secrets.ts'

/** How long a rotated secret stays valid: 24 hours. */
const graceMs = 24 * 60 * 60 * 1000

/** Including the new one. */
const secretsMax = 3

/**
 * Creates a new secret; the previous one stays valid for 24 hours. At most three secrets are valid: another rotation
 * removes the oldest immediately. Throws `NOT_PROVISIONED` if there is no secret yet.
 */
export async function rotateWebhookSecret(scope: TenantScope): Promise<RevealedSecret> {
  const { tenantId } = scope.actor
  return await transaction(scope, async em => {
    await lockTenant(scope, em)
    const secrets = await webhookSecrets(em, tenantId, scope.now)
    const [previous] = secrets
    if (!previous) throw noSecretYet()
    previous.expiresAt ??= new Date(scope.now.getTime() + graceMs)
    for (const surplus of secrets.slice(secretsMax - 1)) em.remove(surplus)
    const current = addWebhookSecret(scope, em, tenantId, previous)
    const changes = { previousValidUntil: previous.expiresAt.toISOString() }
    recordAuditEvent(scope, em, { action: 'webhook_secret.rotate', target: current.id, changes })
    return revealed(scope, current, previous)
  })
}
