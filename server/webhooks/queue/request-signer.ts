import { LRUCache } from 'lru-cache'
import type { Cipher } from '#domain/ports.ts'
import { openWebhookSecret } from '#domain/tenant/webhook-secrets.ts'
import type { ClaimedDelivery, SealedSecret } from '#domain/webhook/claim-deliveries.ts'
import { eventHeaders, secretForAttempt } from '#domain/webhook/signature.policy.ts'
import type { WebhookRequest } from '../http/webhook-sender.ts'

export interface SignedRequest extends Omit<WebhookRequest, 'url'> {
  headers: Record<string, string>
}

export type RequestSigner = (delivery: ClaimedDelivery) => SignedRequest

/** Decrypted secrets in the cache at most. They're cached by id, because a secret never changes. */
const cachedSecretsMax = 10_000

/**
 * Creates the function that builds the signed request of a delivery's attempt. That throws a `RangeError` if the
 * tenant has no valid secret, and what the cipher throws if the secret was encrypted with an unknown key.
 */
export function createRequestSigner(cipher: Cipher): RequestSigner {
  const cache = new LRUCache<string, string, SealedSecret>({
    max: cachedSecretsMax,
    memoMethod: (id, _, { context: { sealed } }) =>
      openWebhookSecret(cipher, { id, encryptedSecret: Buffer.from(sealed, 'hex') }),
  })
  return ({ tenantId, type, body: text, secrets, attempt }) => {
    const body = Buffer.from(text, 'utf8')
    const sealed = secretForAttempt(secrets, attempt)
    const secret = cache.memo(sealed.id, { context: sealed })
    return { tenantId, body, headers: eventHeaders(type, body, secret) }
  }
}
