import type { TenantScope } from '../scope.ts'
import { openWebhookSecret, webhookSecrets } from './webhook-secrets.ts'

/** The tenant's valid webhook secrets, newest first: the current one and up to two rotated ones. */
export async function acceptableSecrets(scope: TenantScope): Promise<string[]> {
  const secrets = await webhookSecrets(scope.em, scope.actor.tenantId, scope.now)
  return secrets.map(secret => openWebhookSecret(scope.cipher, secret))
}
