import { type CryptoKey, importJWK, type JWK } from 'jose'
import { bytes, text } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import type { Cipher } from '../ports.ts'
import { signingAlgorithm, type TokenTerms } from './age-token.ts'
import { openStatusIndexes, type StatusIndexes } from './status-indexes.ts'

/** The signing keys that this process has used, each decrypted once. */
export interface KeyRing {
  /** What signs tokens of these terms; undefined for an unknown kid. */
  signer(terms: TokenTerms): Promise<Signer | undefined>
  /** The private key; undefined for an unknown kid. Throws if it cannot be decrypted. */
  key(kid: string): Promise<CryptoKey | undefined>
}

export interface Signer {
  /** The private key. */
  key: CryptoKey
  /** Of the `token_signer` with the terms. */
  indexes: StatusIndexes
}

export function createKeyRing(pool: StatementPool, cipher: Cipher): KeyRing {
  const privateKeys = new Map<string, CryptoKey>()
  const signers = new Map<string, Promise<Signer | undefined>>()
  async function privateKey(kid: string): Promise<CryptoKey | undefined> {
    const known = privateKeys.get(kid)
    if (known) return known
    const [row] = await findSigningKey(pool, { kid })
    if (!row) return undefined
    const jwk = JSON.parse(cipher.open(row.encryptedPrivateJwk, signingKeyPurpose(kid))) as JWK
    const key = (await importJWK(jwk, signingAlgorithm)) as CryptoKey
    privateKeys.set(kid, key)
    return key
  }
  async function loadSigner(terms: TokenTerms): Promise<Signer | undefined> {
    const key = await privateKey(terms.kid)
    return key && { key, indexes: await openStatusIndexes(pool, terms) }
  }
  /** Concurrent calls share one, so that only one reserves indexes. */
  async function signer(terms: TokenTerms): Promise<Signer | undefined> {
    const name = JSON.stringify([terms.kid, terms.issuer, terms.lifetimeSeconds])
    let loading = signers.get(name)
    if (!loading) {
      loading = loadSigner(terms)
      signers.set(name, loading)
      const drop = () => signers.delete(name)
      loading.then(loaded => loaded ?? drop(), drop)
    }
    return await loading
  }
  return { signer, key: privateKey }
}

export function signingKeyPurpose(kid: string): string {
  return `signing-key:${kid}`
}

export const findSigningKey = statement({
  name: 'find-signing-key',
  text: `select encrypted_private_jwk as "encryptedPrivateJwk" from signing_key where kid = :kid`,
  values: { kid: text },
  row: { encryptedPrivateJwk: bytes },
})

/** The kid of the key that signs at a time, in SQL. `test`: SQL for whether it is the one for test tenants. */
export function signingKid(test: string, now: string): string {
  return `(select kid from signing_key sk where sk.test = ${test} and compromised_at is null
       and (retired_at is null or retired_at > ${now}) order by signs_from, created_at limit 1)`
}
