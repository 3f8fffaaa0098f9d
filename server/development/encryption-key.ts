import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { loadOrCreateSecret } from './load-or-create-secret.ts'

/** The key that encrypts secrets at rest, 32 random bytes in base64, kept in the data folder. */
export async function encryptionKey(folder: string): Promise<string> {
  return await loadOrCreateSecret(join(folder, 'encryption-key'), () => randomBytes(32).toString('base64'))
}
