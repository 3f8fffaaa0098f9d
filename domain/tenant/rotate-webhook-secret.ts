import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import type { Scope } from '../scope.ts'
import { lockTenant } from './find-tenant.ts'
import { noSecretYet, type RevealedSecret, revealed } from './reveal-webhook-secret.ts'
import { addWebhookSecret, webhookSecrets } from './webhook-secrets.ts'

/** How long a rotated secret stays acceptable. */
const graceMs = 24 * 60 * 60 * 1000

/** The new one included. */
const secretsMax = 3

/**
 * A new secret; the one before stays acceptable for 24 hours. Three are kept at most: a further rotation ends the
 * oldest at once. Throws `NOT_PROVISIONED` before there is one.
 */
export async function rotateWebhookSecret(
  scope: Scope,
  { tenantId }: { tenantId: string },
): Promise<RevealedSecret> {
  return await transaction(scope, async em => {
    await lockTenant(em, tenantId)
    const secrets = await webhookSecrets(em, tenantId, scope.now)
    const [previous] = secrets
    if (!previous) throw noSecretYet()
    previous.expiresAt ??= new Date(scope.now.getTime() + graceMs)
    for (const ended of secrets.slice(secretsMax - 1)) em.remove(ended)
    const current = addWebhookSecret(scope, em, tenantId, previous)
    const changes = { previousValidUntil: previous.expiresAt.toISOString() }
    const action = 'webhook_secret.rotate'
    recordAuditEvent(scope, em, { tenantId, action, target: current.id, changes })
    return revealed(scope, current, previous)
  })
}
