import { randomBytes } from 'node:crypto'
import { generateKeyPair } from 'jose'
import { type KeyRing, signingAlgorithm } from '#domain/signing-key/key-ring.ts'

/**
 * A key ring with one new key that is neither stored nor published, so that no token that it signs ever validates.
 */
export async function createThrowAwayKey(): Promise<{ kid: string; keyRing: KeyRing }> {
  const { privateKey, publicKey } = await generateKeyPair(signingAlgorithm)
  const kid = randomBytes(32).toString('base64url')
  const keyRing: KeyRing = {
    signer: async () => privateKey,
    verifier: async () => publicKey,
  }
  return { kid, keyRing }
}
