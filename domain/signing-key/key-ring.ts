import { type CryptoKey, importJWK, type JWK } from 'jose'
import { type StatementPool, statement } from '../database/statement.ts'
import type { Cipher } from '../ports.ts'

export const signingAlgorithm = 'ES256'

/** A cache of the signing keys that this process has used, each unsealed once. */
export interface KeyRing {
  /** The private key; undefined for an unknown kid. */
  signer(kid: string): Promise<CryptoKey | undefined>
  /** The public key; undefined for an unknown kid. */
  verifier(kid: string): Promise<CryptoKey | undefined>
}

interface KeyPair {
  signer: CryptoKey
  verifier: CryptoKey
}

const findKey = statement<{ publicJwk: JWK; sealedPrivateJwk: Buffer }>(
  'find-signing-key',
  `select public_jwk as "publicJwk", sealed_private_jwk as "sealedPrivateJwk" from signing_key where kid = $1`,
)

export function createKeyRing(pool: StatementPool, cipher: Cipher): KeyRing {
  const pairs = new Map<string, KeyPair>()
  async function pair(kid: string): Promise<KeyPair | undefined> {
    const known = pairs.get(kid)
    if (known) return known
    const [row] = await findKey(pool, [kid])
    if (!row) return undefined
    const privateJwk = JSON.parse(cipher.open(row.sealedPrivateJwk, signingKeyPurpose(kid))) as JWK
    const loaded: KeyPair = {
      signer: (await importJWK(privateJwk, signingAlgorithm)) as CryptoKey,
      verifier: (await importJWK(row.publicJwk, signingAlgorithm)) as CryptoKey,
    }
    pairs.set(kid, loaded)
    return loaded
  }
  return {
    signer: async kid => (await pair(kid))?.signer,
    verifier: async kid => (await pair(kid))?.verifier,
  }
}

export function signingKeyPurpose(kid: string): string {
  return `signing-key:${kid}`
}
