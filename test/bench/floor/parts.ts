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
import { nameEntry, nameKeyWindow } from '#server/redis/key-names.ts'
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
    admit: redisUrl ? await admitByRedis(redisUrl) : await admitByMemory(pool),
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

async function admitByRedis(url: string): Promise<Admit> {
  const client = createClient({ url, commandOptions: { timeout: 0 } })
  await client.connect()
  const sha = await client.scriptLoad(scripts.admit.SCRIPT)
  // An entry may expire during a round, and only the service stores it again.
  const tenantIds = new Map<string, string>()
  return async (apiKey, scope, rateClass) => {
    const now = Date.now()
    const keyHash = hash(apiKey)
    const keys = [nameEntry(keyHash), nameKeyWindow(keyHash, rateClass, Math.floor(now / 60_000))]
    const fields = [`error:${scope}`, `limit:${rateClass}`]
    const reply = await client.sendCommand(['EVALSHA', sha, '2', ...keys, ...fields, String(now), '120000'])
    const [tenantId] = (reply as unknown as [tenantId: string] | null) ?? [tenantIds.get(keyHash)!]
    tenantIds.set(keyHash, tenantId)
    return tenantId
  }
}

async function admitByMemory(pool: pg.Pool): Promise<Admit> {
  const find = await sentStatement(({ pool }) => findKeyAccess(pool, ''))
  const counts = new Map<string, number>()
  return async apiKey => {
    const { rows } = await pool.query({ ...find, values: [hash(apiKey)] })
    const { apiKeyId, tenantId } = rows[0]
    counts.set(apiKeyId, (counts.get(apiKeyId) ?? 0) + 1)
    return tenantId
  }
}

function hash(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex')
}
