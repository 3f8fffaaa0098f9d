import { type CryptoKey, importJWK, type JWK } from 'jose'
import { bytes, jsonOf, text } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import type { Cipher } from '../ports.ts'

export const signingAlgorithm = 'ES256'

/** The signing keys that this process has used, each decrypted once. */
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

export function createKeyRing(pool: StatementPool, cipher: Cipher): KeyRing {
  const pairs = new Map<string, KeyPair>()
  async function pair(kid: string): Promise<KeyPair | undefined> {
    const known = pairs.get(kid)
    if (known) return known
    const [row] = await findSigningKey(pool, { kid })
    if (!row) return undefined
    const privateJwk = JSON.parse(cipher.open(row.encryptedPrivateJwk, signingKeyPurpose(kid))) as JWK
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

export const findSigningKey = statement({
  name: 'find-signing-key',
  text: `select public_jwk as "publicJwk", encrypted_private_jwk as "encryptedPrivateJwk" from signing_key
   where kid = :kid`,
  values: { kid: text },
  row: { publicJwk: jsonOf<JWK>(), encryptedPrivateJwk: bytes },
})
