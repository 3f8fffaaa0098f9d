import { toDatabaseError } from '#domain/database/database-error.ts'
import { type Database, openDatabase } from '#domain/database/open-database.ts'
import { type IdentityProvider, ProviderUnavailable } from '#domain/ports.ts'
import type { DomainLog, Scope } from '#domain/scope.ts'
import { createKeyRing } from '#domain/signing-key/key-ring.ts'
import { createVerifiedTokens } from '#domain/token/verified-tokens.ts'
import { createCipher } from '../cipher.ts'
import { readConfig } from '../config.ts'
import { createScopeFactory } from '../scope.ts'
import { rulesOf } from '../services.ts'
import { createAnnouncer } from './announcer.ts'
import { openStorage } from './open-storage.ts'

export interface OperatorScope {
  scope: Scope
  close(): Promise<void>
}

/**
 * A scope in which the operator acts, on the database that the environment names or on the embedded one, beside
 * a running service or without one. Throws a `ConfigError`, a `StartError` or `DATABASE_ERROR`.
 */
export async function openOperatorScope(env: Record<string, string | undefined>): Promise<OperatorScope> {
  const config = readConfig(env)
  const closing = new AsyncDisposableStack()
  try {
    const storage = await openStorage(config)
    closing.defer(() => storage.close())
    const database = await connect(storage.databaseUrl)
    closing.defer(() => database.close())
    const { pool } = database
    const announcer = createAnnouncer(config.redisUrl, log)
    closing.defer(() => announcer.close())
    const cipher = createCipher(storage.encryptionKey)
    const parts = {
      ...{
        clock: () => new Date(),
        pool,
        provider,
        keyCache: announcer.keyCache,
        notifier,
        cipher,
        log,
      },
      rules: rulesOf(config, { oidc: { issuer: storage.memberIssuer, audience: '', clientId: '' } }),
      ...{ keyRing: createKeyRing(pool, cipher), verifiedTokens: createVerifiedTokens() },
    }
    const scope = createScopeFactory(parts, database.orm.em)({ kind: 'operator' })
    const close = closing.move()
    return { scope, close: () => close.disposeAsync() }
  } catch (error) {
    await closing.disposeAsync()
    throw error
  }
}

/** Throws `DATABASE_ERROR` with the driver's words: whatever is wrong, the operator has to mend it. */
async function connect(url: string): Promise<Database> {
  try {
    return await openDatabase({ url, poolSize: 4 })
  } catch (error) {
    throw toDatabaseError(error)
  }
}

/** The operator starts no verifications, so nobody asks the provider, and no worker has to be woken. */
const provider: IdentityProvider = {
  createSession: () => Promise.reject(new ProviderUnavailable('the operator has no provider')),
  fetchDecision: () => Promise.reject(new ProviderUnavailable('the operator has no provider')),
}
const notifier = { notify() {} }

/** Standard output belongs to the answer, and standard error to one line of fault. */
const log: DomainLog = { info() {}, warn() {} }
