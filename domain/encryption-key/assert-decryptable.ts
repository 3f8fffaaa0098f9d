import type { StatementPool } from '../database/statement.ts'
import type { Cipher } from '../ports.ts'
import { signingKeys, webhookSecrets } from './encrypted-column.ts'

/**
 * Decrypts one signing key and one webhook secret of each key that encrypted them. Throws if one cannot be decrypted:
 * then the configured keys lack one that is still needed.
 */
export async function assertDecryptable(pool: StatementPool, cipher: Cipher): Promise<void> {
  for (const { sample, purposeOf } of [signingKeys, webhookSecrets]) {
    for (const { sealed, ...row } of await sample(pool, {})) cipher.open(sealed, purposeOf(row))
  }
}
