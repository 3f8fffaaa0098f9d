import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import type { StatementPool } from '#domain/database/statement.ts'
import { type KeyRing, tokenSignerId } from '#domain/signing-key/key-ring.ts'
import { signingAlgorithm } from '#domain/token/age-token.ts'

/** A key ring with one new key, which is neither stored nor published: no token that it signs ever validates. */
export async function throwAwayKeyRing(pool: StatementPool): Promise<{ kid: string; keyRing: KeyRing }> {
  const { privateKey: key, publicKey } = await generateKeyPair(signingAlgorithm)
  return {
    kid: await calculateJwkThumbprint(await exportJWK(publicKey)),
    keyRing: {
      signer: async terms => ({ id: await tokenSignerId(pool, terms), key }),
      has: async () => true,
    },
  }
}
