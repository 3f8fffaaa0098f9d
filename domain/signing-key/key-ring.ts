import { type CryptoKey, importJWK, type JWK } from 'jose'
import { bytes, int, jsonOf, smallint, text } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import type { Cipher } from '../ports.ts'
import { signingAlgorithm, type TokenTerms } from '../token/age-token.ts'

/** The signing keys that this process has used, each decrypted once. */
export interface KeyRing {
  /** What signs tokens of these terms; undefined for an unknown kid. */
  signer(terms: TokenTerms): Promise<Signer | undefined>
  /** The public key; undefined for an unknown kid. */
  verifier(kid: string): Promise<CryptoKey | undefined>
}

export interface Signer {
  /** The id of the `token_signer` with the terms. */
  id: number
  /** The private key. */
  key: CryptoKey
}

interface KeyPair {
  signer: CryptoKey
  verifier: CryptoKey
}

export function createKeyRing(pool: StatementPool, cipher: Cipher): KeyRing {
  const pairs = new Map<string, KeyPair>()
  const signers = new Map<string, Signer>()
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
  async function signer(terms: TokenTerms): Promise<Signer | undefined> {
    const name = JSON.stringify([terms.kid, terms.issuer, terms.lifetimeSeconds])
    const known = signers.get(name)
    if (known) return known
    const keys = await pair(terms.kid)
    if (!keys) return undefined
    const loaded = { id: await signerId(pool, terms), key: keys.signer }
    signers.set(name, loaded)
    return loaded
  }
  return {
    signer,
    verifier: async kid => (await pair(kid))?.verifier,
  }
}

/** Adds the `token_signer` of the terms if there is none. Of concurrent additions, one wins. */
async function signerId(pool: StatementPool, terms: TokenTerms): Promise<number> {
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
  text: `select public_jwk as "publicJwk", encrypted_private_jwk as "encryptedPrivateJwk" from signing_key
   where kid = :kid`,
  values: { kid: text },
  row: { publicJwk: jsonOf<JWK>(), encryptedPrivateJwk: bytes },
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
