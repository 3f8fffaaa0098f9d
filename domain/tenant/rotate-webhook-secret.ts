import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { DomainError } from '../errors.ts'
import type { Scope, TenantScope } from '../scope.ts'
import { changeTenant } from './find-tenant.ts'
import type { WebhookSecret } from './webhook-secret.entity.ts'
import { addWebhookSecret, openWebhookSecret, webhookSecrets } from './webhook-secrets.ts'

export interface RevealedSecret {
  webhookSecret: string
  /** When the previous secret stops being valid; null if there is none. */
  previousValidUntil: Date | null
}

/** The current secret. Reading it is recorded in the audit log. Throws `NOT_PROVISIONED` if there is none yet. */
export async function revealWebhookSecret(scope: TenantScope): Promise<RevealedSecret> {
  return await changeTenant(scope, async (em, tenant) => {
    const [current, previous] = await webhookSecrets(em, tenant.id, scope.now)
    if (!current) throw noSecretYet()
    recordAuditEvent(scope, em, { action: 'webhook_secret.reveal', target: current.id, changes: {} })
    return reveal(scope, current, previous)
  })
}

/** How long a rotated secret stays valid: 24 hours. */
const graceMs = 24 * 60 * 60 * 1000

/** Including the new one. */
const secretsMax = 3

/**
 * Creates a new secret; the previous one stays valid for 24 hours. At most three secrets are valid: another rotation
 * removes the oldest immediately. Throws `NOT_PROVISIONED` if there is no secret yet.
 */
export async function rotateWebhookSecret(scope: TenantScope): Promise<RevealedSecret> {
  return await changeTenant(scope, async (em, tenant) => {
    const secrets = await webhookSecrets(em, tenant.id, scope.now)
    const [previous] = secrets
    if (!previous) throw noSecretYet()
    previous.expiresAt ??= new Date(scope.now.getTime() + graceMs)
    for (const surplus of secrets.slice(secretsMax - 1)) em.remove(surplus)
    const current = addWebhookSecret(scope, em, tenant.id, previous)
    const changes = { previousValidUntil: previous.expiresAt.toISOString() }
    recordAuditEvent(scope, em, { action: 'webhook_secret.rotate', target: current.id, changes })
    return reveal(scope, current, previous)
  })
}

function reveal({ cipher }: Scope, current: WebhookSecret, previous?: WebhookSecret): RevealedSecret {
  return {
    webhookSecret: openWebhookSecret(cipher, current),
    previousValidUntil: previous?.expiresAt ?? null,
  }
}

function noSecretYet(): DomainError {
  return new DomainError('NOT_PROVISIONED', {
    message: 'There is no webhook secret yet; set a webhook URL first.',
  })
}
