import { createHash, createPrivateKey, type KeyObject } from 'node:crypto'
import pg from 'pg'
import { createClient } from 'redis'
import { findKeyAccess } from '#domain/api-key/find-key-access.ts'
import type { ApiKeyScope } from '#domain/permissions.ts'
import type { Cipher } from '#domain/ports.ts'
import { setPlans } from '#domain/schema/orm.config.ts'
import { findNewestKey } from '#domain/signing-key/ensure-signing-key.ts'
import { findSigningKey, signingKeyPurpose } from '#domain/signing-key/key-ring.ts'
import type { AdmissionRequest } from '#rest/ports.ts'
import { createCipher } from '#server/cipher.ts'
import type { Config } from '#server/configuration/config.ts'
import { nameWindow } from '#server/redis/key-names.ts'
import { scripts } from '#server/redis/scripts.ts'
import { sentStatement } from './sent-statement.ts'

/** Counts a request of the key and returns the key's tenant. */
type Admit = (apiKey: string, scope: ApiKeyScope, rateClass: AdmissionRequest['rateClass']) => Promise<string>

export type FloorParts = Awaited<ReturnType<typeof openFloorParts>>

/** The parts that floors share: plain drivers, a key, a signer. */
export async function openFloorParts(config: Config) {
  const { databaseUrl, databasePoolSize, redisUrl, encryptionKeys } = config
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: databasePoolSize,
    onConnect: client => client.query(setPlans),
  })
  return {
    pool,
    admit: redisUrl ? await admitByRedis(redisUrl, pool) : await admitByMemory(pool),
    /** The private key that the service signs tokens with. */
    signer: await readSigner(pool, createCipher(encryptionKeys!)),
    oidcIssuer: config.oidcIssuer!,
    veriff: {
      baseUrl: config.veriffBaseUrl!,
      apiKey: config.veriffApiKey!,
      sharedSecret: config.veriffSharedSecrets![0]!,
    },
  }
}

async function readSigner(pool: pg.Pool, cipher: Cipher): Promise<KeyObject> {
  const { kid } = (await findNewestKey(pool, { test: false }))[0]!
  const { encryptedPrivateJwk } = (await findSigningKey(pool, { kid }))[0]!
  const key = JSON.parse(cipher.open(encryptedPrivateJwk, signingKeyPurpose(kid)))
  return createPrivateKey({ format: 'jwk', key })
}

async function admitByRedis(url: string, pool: pg.Pool): Promise<Admit> {
  const client = createClient({ url, commandOptions: { timeout: 0 } })
  await client.connect()
  const sha = await client.scriptLoad(scripts.hit.SCRIPT)
  return await admitBy(pool, async (apiKeyId, rateClass) => {
    const window = nameWindow(`${apiKeyId}:${rateClass}`, Math.floor(Date.now() / 60_000))
    await client.sendCommand(['EVALSHA', sha, '1', window, '120000'])
  })
}

async function admitByMemory(pool: pg.Pool): Promise<Admit> {
  const counts = new Map<string, number>()
  return await admitBy(pool, async apiKeyId => void counts.set(apiKeyId, (counts.get(apiKeyId) ?? 0) + 1))
}

async function admitBy(
  pool: pg.Pool,
  count: (apiKeyId: string, rateClass: AdmissionRequest['rateClass']) => Promise<void>,
): Promise<Admit> {
  const find = await sentStatement(({ pool }) => findKeyAccess(pool, ''))
  return async (apiKey, _scope, rateClass) => {
    const { rows } = await pool.query({ ...find, values: [hash(apiKey)] })
    const { apiKeyId, tenantId } = rows[0]
    await count(apiKeyId, rateClass)
    return tenantId
  }
}

function hash(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex')
}
