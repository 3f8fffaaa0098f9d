import type { Scope } from '../scope.ts'
import { WebhookSecret } from './webhook-secret.entity.ts'

/** Deletes the rotated secrets whose time is over; answers how many. */
export async function endRotatedSecrets(scope: Scope): Promise<number> {
  return await scope.em.fork().nativeDelete(WebhookSecret, { expiresAt: { $lte: scope.now } })
}
