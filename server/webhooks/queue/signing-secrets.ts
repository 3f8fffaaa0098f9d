import { LRUCache } from 'lru-cache'
import type { Cipher } from '#domain/ports.ts'
import { openWebhookSecret } from '#domain/tenant/webhook-secrets.ts'
import type { SealedSecret } from '#domain/webhook/claim-deliveries.ts'

/** Unsealed secrets are remembered by id, as a secret never changes; this many at most. */
const rememberedMax = 10_000

/** Unseals webhook secrets. Throws what the cipher throws if one was sealed with another key. */
export function createSigningSecrets(cipher: Cipher): (sealed: SealedSecret) => string {
  const remembered = new LRUCache<string, string>({ max: rememberedMax })
  return ({ id, sealed }) => {
    const known = remembered.get(id)
    if (known !== undefined) return known
    const secret = openWebhookSecret(cipher, { id, encryptedSecret: Buffer.from(sealed, 'hex') })
    remembered.set(id, secret)
    return secret
  }
}
