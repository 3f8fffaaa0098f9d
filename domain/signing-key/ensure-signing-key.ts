import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import { type StatementPool, statement } from '../database/statement.ts'
import type { Cipher } from '../ports.ts'
import { signingAlgorithm, signingKeyPurpose } from './key-ring.ts'

export interface NewSigningKey {
  kid: string
  publicJwk: Record<string, unknown>
  sealedPrivateJwk: Buffer
}

const addFirst = statement<{ kid: string }>(
  'add-first-signing-key',
  `insert into signing_key (kid, public_jwk, sealed_private_jwk, created_at)
   select $1, $2, $3, $4 where not exists (select from signing_key where retired_at is null)
   on conflict do nothing returning kid`,
)

const findActive = statement<{ kid: string }>(
  'find-active-signing-key',
  'select kid from signing_key where retired_at is null',
)

/**
 * Creates the first signing key if there is none. When several processes do this concurrently, one key wins.
 * Returns the kid of the active key.
 */
export async function ensureSigningKey(pool: StatementPool, cipher: Cipher, now: Date): Promise<string> {
  const [active] = await findActive(pool, [])
  if (active) return active.kid
  const key = await newSigningKey(cipher)
  await addFirst(pool, [key.kid, key.publicJwk, key.sealedPrivateJwk, now])
  return await ensureSigningKey(pool, cipher, now)
}

export async function newSigningKey(cipher: Cipher): Promise<NewSigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true })
  const [publicPart, privatePart] = await Promise.all([exportJWK(publicKey), exportJWK(privateKey)])
  const kid = await calculateJwkThumbprint(publicPart)
  const publicJwk = { ...publicPart, kid, use: 'sig', alg: signingAlgorithm }
  return {
    kid,
    publicJwk,
    sealedPrivateJwk: cipher.seal(JSON.stringify(privatePart), signingKeyPurpose(kid)),
  }
}
