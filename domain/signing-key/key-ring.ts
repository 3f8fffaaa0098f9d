import { type CryptoKey, importJWK, type JWK } from 'jose'
import { bytes, int, smallint, text } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import type { Cipher } from '../ports.ts'
import { signingAlgorithm, type TokenTerms } from '../token/age-token.ts'

/** The signing keys that this process has used, each decrypted once. */
export interface KeyRing {
  /** What signs tokens of these terms; undefined for an unknown kid. */
  signer(terms: TokenTerms): Promise<Signer | undefined>
  /** Whether the key is known. Throws if it cannot be decrypted. */
  has(kid: string): Promise<boolean>
}

export interface Signer {
  /** The id of the `token_signer` with the terms. */
  id: number
  /** The private key. */
  key: CryptoKey
}

export function createKeyRing(pool: StatementPool, cipher: Cipher): KeyRing {
  const privateKeys = new Map<string, CryptoKey>()
  const signers = new Map<string, Signer>()
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
  async function signer(terms: TokenTerms): Promise<Signer | undefined> {
    const name = JSON.stringify([terms.kid, terms.issuer, terms.lifetimeSeconds])
    const known = signers.get(name)
    if (known) return known
    const key = await privateKey(terms.kid)
    if (!key) return undefined
    const loaded = { id: await tokenSignerId(pool, terms), key }
    signers.set(name, loaded)
    return loaded
  }
  return {
    signer,
    has: async kid => (await privateKey(kid)) !== undefined,
  }
}

/** The id of the `token_signer` of the terms, which is added if there is none. Of concurrent additions, one wins. */
export async function tokenSignerId(pool: StatementPool, terms: TokenTerms): Promise<number> {
  for (;;) {
    const [known] = await findTokenSigner(pool, terms)
    if (known) return known.id
    await addTokenSigner(pool, terms)
  }
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

const termsValues = { kid: text, issuer: text, lifetimeSeconds: int }

export const findTokenSigner = statement({
  name: 'find-token-signer',
  text: `select id from token_signer
   where kid = :kid and issuer = :issuer and lifetime_seconds = :lifetimeSeconds`,
  values: termsValues,
  row: { id: smallint },
})

export const addTokenSigner = statement({
  name: 'add-token-signer',
  text: `insert into token_signer (id, kid, issuer, lifetime_seconds)
   select coalesce(max(id), 0) + 1, :kid, :issuer, :lifetimeSeconds from token_signer
   on conflict do nothing`,
  values: termsValues,
  row: {},
})
