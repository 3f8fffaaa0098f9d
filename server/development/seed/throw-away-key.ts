import { generateKeyPair } from 'jose'
import type { KeyRing } from '#domain/signing-key/key-ring.ts'
import { signingAlgorithm } from '#domain/token/age-token.ts'

/**
 * A key ring that signs with a new key, which is neither stored nor published, in the name of the keys of another one:
 * no token that it signs ever validates.
 */
export async function throwAwayKeyRing(keyRing: KeyRing): Promise<KeyRing> {
  const { privateKey, publicKey } = await generateKeyPair(signingAlgorithm)
  return {
    async signer(terms) {
      const signer = await keyRing.signer(terms)
      return signer && { id: signer.id, key: privateKey }
    },
    verifier: async () => publicKey,
  }
}
