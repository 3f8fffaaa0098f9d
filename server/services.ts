import type { Registry } from 'prom-client'
import type { RateLimiter } from '#console-api/rate-limit.ts'
import type { Database } from '#domain/database/open-database.ts'
import { openDatabase } from '#domain/database/open-database.ts'
import { ensureDefaultPlan } from '#domain/plan/ensure-default-plan.ts'
import type { Cipher, WorkerNotifier } from '#domain/ports.ts'
import type { Rules } from '#domain/scope.ts'
import { ensureSigningKey } from '#domain/signing-key/ensure-signing-key.ts'
import { createKeyRing } from '#domain/signing-key/key-ring.ts'
import { createVerifiedTokens } from '#domain/token/verified-tokens.ts'
import { createAddressPolicy } from '#domain/webhook/public-address.policy.ts'
import type { KeyAdmission, ProviderCallbacks } from '#rest/ports.ts'
import { createKeyUsageRecorder, type KeyUsageRecorder } from './admission/key-usage-recorder.ts'
import { createMemoryKeyAdmission, emptyKeyCache } from './admission/memory-key-admission.ts'
import { createMemoryRateLimiter } from './admission/memory-rate-limiter.ts'
import { openRedis, type Redis } from './admission/open-redis.ts'
import { createRedisKeyAdmission } from './admission/redis-key-admission.ts'
import { createRedisKeyCache } from './admission/redis-key-cache.ts'
import { createRedisRateLimiter } from './admission/redis-rate-limiter.ts'
import { createCipher } from './cipher.ts'
import type { Config } from './config.ts'
import type { Dependencies } from './dependencies.ts'
import { createMetricsRegistry } from './http/metrics.ts'
import type { Log } from './log.ts'
import { createScopeFactory, type ScopeFor } from './scope.ts'
import { StartError } from './start-error.ts'
import { createVeriffCallbacks } from './veriff/veriff-callbacks.ts'
import { createVeriffClient } from './veriff/veriff-client.ts'

/** Everything that lives as long as the process. */
export interface Services {
  config: Config
  dependencies: Dependencies
  log: Log
  clock: () => Date
  database: Database
  redis: Redis | undefined
  rateLimiter: RateLimiter
  keyAdmission: KeyAdmission
  callbacks: ProviderCallbacks
  keyUsage: KeyUsageRecorder
  cipher: Cipher
  /** The figures of this process. */
  registry: Registry
  rules: Rules
  scopeFor: ScopeFor
  /** Closes in the reverse order of opening. */
  close(): Promise<void>
}

export interface ServiceOptions {
  config: Config
  dependencies: Dependencies
  log: Log
  notifier: WorkerNotifier
  clock?: () => Date
}

/** Opens everything, in order; what was opened is closed again if a later part fails. */
export async function createServices(options: ServiceOptions): Promise<Services> {
  const { config, dependencies, log, notifier, clock = () => new Date() } = options
  const closing = new AsyncDisposableStack()
  try {
    const database = await openDatabase({
      url: dependencies.databaseUrl,
      poolSize: config.DATABASE_POOL_SIZE,
    }).catch(nameVariable('DATABASE_URL: PostgreSQL'))
    closing.defer(() => database.close())
    const { pool } = database
    const redis = config.REDIS_URL
      ? await openRedis(config.REDIS_URL, log).catch(nameVariable('REDIS_URL: Redis'))
      : undefined
    closing.defer(() => redis?.destroy())
    const rateLimiter = redis ? createRedisRateLimiter(redis) : createMemoryRateLimiter()
    const keyAdmission = redis
      ? createRedisKeyAdmission(redis, pool)
      : createMemoryKeyAdmission(pool, rateLimiter)
    const keyCache = redis ? createRedisKeyCache(redis) : emptyKeyCache
    const provider = createVeriffClient({ ...dependencies.veriff, clock })
    closing.defer(() => provider.close())
    const keyUsage = createKeyUsageRecorder(pool, log)
    closing.defer(() => keyUsage.close())
    const cipher = createCipher(dependencies.encryptionKey)
    const keyRing = createKeyRing(pool, cipher)
    const rules = rulesOf(config, dependencies)
    const verifiedTokens = createVerifiedTokens()
    const parts = {
      clock,
      pool,
      rules,
      provider,
      keyCache,
      notifier,
      cipher,
      keyRing,
      verifiedTokens,
      log,
    }
    const scopeFor = createScopeFactory(parts, database.orm.em)
    const kid = await ensureSigningKey(pool, cipher, clock())
    await keyRing.signer(kid).catch(refuseOtherKey)
    await ensureDefaultPlan(scopeFor({ kind: 'service' }))
    const close = closing.move()
    return {
      config,
      dependencies,
      log,
      clock,
      database,
      redis,
      rateLimiter,
      keyAdmission,
      keyUsage,
      cipher,
      rules,
      scopeFor,
      registry: createMetricsRegistry(),
      callbacks: createVeriffCallbacks(dependencies.veriff),
      close: () => close.disposeAsync(),
    }
  } catch (error) {
    await closing.disposeAsync()
    throw error
  }
}

/** Found out at the start, and not by the first approval: what was sealed with another key stays closed. */
function refuseOtherKey(cause: unknown): never {
  const message = 'ENCRYPTION_KEY is not the one that the secrets in this database were encrypted with'
  throw new StartError(message, { cause })
}

/** Says which setting leads to the part that can't be used. */
function nameVariable(part: string) {
  return (error: unknown): never => {
    const { code, message } = error as NodeJS.ErrnoException
    throw new StartError(`${part} cannot be used: ${message || code}`, { cause: error })
  }
}

/** Loopback receivers are for the start in which everything is local. */
const loopback = ['127.0.0.0/8', '::1/128']

/** Private ranges that receivers may be in. */
export function allowedNetworks(config: Config): string[] {
  return config.WEBHOOK_ALLOWED_NETWORKS ?? (config.allEmbedded ? loopback : [])
}

export function rulesOf(config: Config, dependencies: Pick<Dependencies, 'oidc'>): Rules {
  return {
    baseUrl: config.baseUrl,
    tokenLifetimeMs: config.TOKEN_TTL_DAYS,
    sessionLifetimeMs: config.SESSION_LIFETIME_DAYS,
    requestDataRetentionMs: config.REQUEST_DATA_RETENTION_DAYS,
    retryDelaysMs: config.WEBHOOK_RETRY_DELAYS,
    memberIssuer: dependencies.oidc.issuer,
    addresses: createAddressPolicy(allowedNetworks(config)),
  }
}
