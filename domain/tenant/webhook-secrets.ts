import type { EntityManager } from '@mikro-orm/postgresql'
import { newId, randomSecret } from '../ids.ts'
import type { Cipher } from '../ports.ts'
import type { Scope, TenantScope } from '../scope.ts'
import { WebhookSecret } from './webhook-secret.entity.ts'

/** The tenant's valid secrets, newest first. */
export async function webhookSecrets(
  em: EntityManager,
  tenantId: string,
  now: Date,
): Promise<WebhookSecret[]> {
  return await em.find(
    WebhookSecret,
    { tenantId, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] },
    { orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] },
  )
}

/** Adds a secret: `whsec_` and 256 random bits. `newest` is the tenant's newest secret so far. */
export function addWebhookSecret(
  scope: Scope,
  em: EntityManager,
  tenantId: string,
  newest?: WebhookSecret,
): WebhookSecret {
  const id = newId(scope.now)
  const encryptedSecret = scope.cipher.seal(`whsec_${randomSecret()}`, webhookSecretPurpose(id))
  // Of two concurrent rotations, the first to get the lock may have the later `now`; times must still increase.
  const createdAt = new Date(Math.max(scope.now.getTime(), (newest?.createdAt.getTime() ?? -1) + 1))
  return em.create(WebhookSecret, { id, tenantId, encryptedSecret, createdAt, expiresAt: null })
}

export function openWebhookSecret(
  cipher: Cipher,
  secret: Pick<WebhookSecret, 'id' | 'encryptedSecret'>,
): string {
  return cipher.open(Buffer.from(secret.encryptedSecret), webhookSecretPurpose(secret.id))
}

export function webhookSecretPurpose(id: string): string {
  return `webhook-secret:${id}`
}

/** The tenant's valid webhook secrets, newest first: the current one and up to two rotated ones. */
export async function acceptableSecrets(scope: TenantScope): Promise<string[]> {
  const secrets = await webhookSecrets(scope.em, scope.actor.tenantId, scope.now)
  return secrets.map(secret => openWebhookSecret(scope.cipher, secret))
}

/** Deletes rotated webhook secrets that are no longer valid. Returns the number of deleted secrets. */
export async function deleteRotatedSecrets(scope: Scope): Promise<number> {
  return await scope.em.nativeDelete(WebhookSecret, { expiresAt: { $lte: scope.now } })
}
