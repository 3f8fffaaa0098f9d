import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import { boolean, bytes, jsonOf, text, timestamp } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import type { Cipher } from '../ports.ts'
import { signingAlgorithm } from './age-token.ts'
import { signingKeyPurpose } from './key-ring.ts'

export interface NewSigningKey {
  kid: string
  publicJwk: Record<string, unknown>
  encryptedPrivateJwk: Buffer
}

/**
 * Creates the first signing key, or the first for test tenants, if there is none; it signs immediately. When several
 * processes do this concurrently, one key wins. Returns the kid of the newest key.
 */
export async function ensureSigningKey(
  pool: StatementPool,
  cipher: Cipher,
  now: Date,
  { test = false } = {},
): Promise<string> {
  const [newest] = await findNewestKey(pool, { test })
  if (newest) return newest.kid
  const key = await newSigningKey(cipher)
  await addFirstKey(pool, { ...key, now, test })
  return await ensureSigningKey(pool, cipher, now, { test })
}

/** When the newest signing key of live tenants was created; undefined if there is none. Throws `DATABASE_ERROR`. */
export async function newestKeyCreatedAt(pool: StatementPool): Promise<Date | undefined> {
  const [newest] = await findNewestKey(pool, { test: false })
  return newest?.createdAt
}

export async function newSigningKey(cipher: Cipher): Promise<NewSigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true })
  const [publicPart, privatePart] = await Promise.all([exportJWK(publicKey), exportJWK(privateKey)])
  const kid = await calculateJwkThumbprint(publicPart)
  const publicJwk = { ...publicPart, kid, use: 'sig', alg: signingAlgorithm }
  return {
    kid,
    publicJwk,
    encryptedPrivateJwk: cipher.seal(JSON.stringify(privatePart), signingKeyPurpose(kid)),
  }
}

export const findNewestKey = statement({
  name: 'find-newest-signing-key',
  text: 'select kid, created_at as "createdAt" from signing_key where retired_at is null and test = :test',
  values: { test: boolean },
  row: { kid: text, createdAt: timestamp },
})

export const addFirstKey = statement({
  name: 'add-first-signing-key',
  text: `insert into signing_key (kid, public_jwk, encrypted_private_jwk, created_at, signs_from, test)
   select :kid, :publicJwk, :encryptedPrivateJwk, :now, :now, :test
   where not exists (select from signing_key where retired_at is null and test = :test)
   on conflict do nothing`,
  values: {
    kid: text,
    publicJwk: jsonOf<Record<string, unknown>>(),
    encryptedPrivateJwk: bytes,
    now: timestamp,
    test: boolean,
  },
  row: {},
})
