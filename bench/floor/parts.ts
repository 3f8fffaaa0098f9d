import { createHash, createPrivateKey, type KeyObject } from 'node:crypto'
import pg from 'pg'
import { createClient } from 'redis'
import type { ApiKeyScope } from '#domain/api-key/api-key.policy.ts'
import { findKeyAccess } from '#domain/api-key/find-key-access.ts'
import type { AdmissionRequest, Cipher } from '#domain/ports.ts'
import { signingKeyPurpose } from '#domain/signing-key/key-ring.ts'
import { scripts } from '#server/admission/scripts.ts'
import { createCipher } from '#server/cipher.ts'
import type { Config } from '#server/config.ts'
import { sentStatement } from './sent-statement.ts'

/** What floors are made of: the drivers, as they come. */
export interface FloorParts {
  pool: pg.Pool
  /** Counts a request of the key's, and answers with its tenant. */
  admit(apiKey: string, scope: ApiKeyScope, rateClass: AdmissionRequest['rateClass']): Promise<string>
  /** The private key that the service signs tokens with. */
  signer: KeyObject
  veriff: { baseUrl: string; apiKey: string; sharedSecret: string }
}

export async function openFloorParts(config: Config): Promise<FloorParts> {
  const { DATABASE_URL, DATABASE_POOL_SIZE, REDIS_URL, ENCRYPTION_KEY } = config
  const pool = new pg.Pool({ connectionString: DATABASE_URL, max: DATABASE_POOL_SIZE })
  return {
    pool,
    admit: REDIS_URL ? await admitByRedis(REDIS_URL) : await admitByMemory(pool),
    signer: await readSigner(pool, createCipher(ENCRYPTION_KEY!)),
    veriff: {
      baseUrl: config.VERIFF_BASE_URL!,
      apiKey: config.VERIFF_API_KEY!,
      sharedSecret: config.VERIFF_SHARED_SECRET![0]!,
    },
  }
}

async function admitByRedis(url: string): Promise<FloorParts['admit']> {
  const client = createClient({ url, commandOptions: { timeout: 0 } })
  await client.connect()
  const sha = await client.scriptLoad(scripts.admit.SCRIPT)
  return async (apiKey, scope, rateClass) => {
    const now = Date.now()
    const window = `${rateClass}:${Math.floor(now / 60_000)}`
    const keys = [`key:${hash(apiKey)}`, 'generation']
    const rest = ['generation:', 'window:', `|${scope}|`, String(now), window, '120000']
    const reply = await client.sendCommand(['EVALSHA', sha, '2', ...keys, ...rest])
    return JSON.parse((reply as unknown as [string, number])[0]).tenantId
  }
}

async function admitByMemory(pool: pg.Pool): Promise<FloorParts['admit']> {
  const find = await sentStatement(scope => findKeyAccess(scope.pool, ''))
  const counts = new Map<string, number>()
  return async apiKey => {
    const { rows } = await pool.query({ ...find, values: [hash(apiKey)] })
    const { apiKeyId, tenantId } = rows[0]
    counts.set(apiKeyId, (counts.get(apiKeyId) ?? 0) + 1)
    return tenantId
  }
}

async function readSigner(pool: pg.Pool, cipher: Cipher): Promise<KeyObject> {
  const { rows } = await pool.query(
    'select kid, encrypted_private_jwk from signing_key where retired_at is null',
  )
  const [{ kid, encrypted_private_jwk }] = rows
  return createPrivateKey({
    format: 'jwk',
    key: JSON.parse(cipher.open(encrypted_private_jwk, signingKeyPurpose(kid))),
  })
}

function hash(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex')
}
