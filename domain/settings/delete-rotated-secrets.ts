import type { Scope } from '../scope.ts'
import { WebhookSecret } from './webhook-secret.entity.ts'

/** Deletes rotated webhook secrets that are no longer valid. Returns the number of deleted secrets. */
export async function deleteRotatedSecrets(scope: Scope): Promise<number> {
  return await scope.em.nativeDelete(WebhookSecret, { expiresAt: { $lte: scope.now } })
}
