import { bytes, text, uuid } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import type { Cipher } from '../ports.ts'
import { webhookSecretPurpose } from '../settings/webhook-secrets.ts'
import { signingKeyPurpose } from '../signing-key/key-ring.ts'

/**
 * Decrypts one signing key and one webhook secret of each key that encrypted them. Throws if one cannot be decrypted:
 * then the configured keys lack one that is still needed.
 */
export async function assertDecryptable(pool: StatementPool, cipher: Cipher): Promise<void> {
  for (const { kid, sealed } of await sampleSigningKeys(pool, {})) cipher.open(sealed, signingKeyPurpose(kid))
  for (const { id, sealed } of await sampleWebhookSecrets(pool, {})) {
    cipher.open(sealed, webhookSecretPurpose(id))
  }
}

/** The version and the key id, which ciphertext begins with. */
const prefixBytes = 5

export const sampleSigningKeys = statement({
  name: 'sample-signing-keys',
  text: `select distinct on (substring(encrypted_private_jwk for ${prefixBytes})) kid, encrypted_private_jwk as sealed
   from signing_key`,
  values: {},
  row: { kid: text, sealed: bytes },
})

export const sampleWebhookSecrets = statement({
  name: 'sample-webhook-secrets',
  text: `select distinct on (substring(encrypted_secret for ${prefixBytes})) id, encrypted_secret as sealed
   from webhook_secret`,
  values: {},
  row: { id: uuid, sealed: bytes },
})
