import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import type { StatementPool } from '#domain/database/statement.ts'
import type { KeyRing } from '#domain/signing-key/key-ring.ts'
import { signingAlgorithm } from '#domain/token/age-token.ts'
import { openStatusIndexes, type StatusIndexes } from '#domain/token/status-indexes.ts'

/** A key ring with one new key, which is neither stored nor published: no token that it signs ever validates. */
export async function throwAwayKeyRing(pool: StatementPool): Promise<{ kid: string; keyRing: KeyRing }> {
  const { privateKey: key, publicKey } = await generateKeyPair(signingAlgorithm)
  let indexes: Promise<StatusIndexes> | undefined
  return {
    kid: await calculateJwkThumbprint(await exportJWK(publicKey)),
    keyRing: {
      async signer(terms) {
        indexes ??= openStatusIndexes(pool, terms)
        return { key, indexes: await indexes }
      },
      key: async () => key,
    },
  }
}
