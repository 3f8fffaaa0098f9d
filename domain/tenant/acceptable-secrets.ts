import type { Scope } from '../scope.ts'
import { openWebhookSecret, webhookSecrets } from './webhook-secrets.ts'

/** The secrets that a receiver may still know, the newest first: one, and two more while rotated ones last. */
export async function acceptableSecrets(scope: Scope, tenantId: string): Promise<string[]> {
  const secrets = await webhookSecrets(scope.em.fork(), tenantId, scope.now)
  return secrets.map(secret => openWebhookSecret(scope.cipher, secret))
}
