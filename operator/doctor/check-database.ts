import { assertDecryptable } from '#domain/encryption-key/encrypted-columns.ts'
import { DomainError } from '#domain/errors.ts'
import {
  connectionOptions,
  connect as connectTo,
  type ServerClient,
  ServerRoleError,
} from '#domain/postgres/index.ts'
import { inspectSchema } from '#domain/schema/apply-migrations.ts'
import { describeRefusal, type SchemaStatus } from '#domain/schema/schema-status.ts'
import { recordedKeyCache, recordedRedis } from '#domain/service-setting/key-cache-setting.ts'
import { findPublishedKeys } from '#domain/signing-key/published-keys.ts'
import { createCipher } from '#server/cipher.ts'
import type { Config } from '#server/configuration/config.ts'
import { describeUnsuitableDatabase } from '#server/configuration/start-error.ts'
import { applicationName } from '../open-scope.ts'
import { openStorage, type Storage } from '../open-storage.ts'
import { type Check, check, Fault } from './check.ts'
import type { ServicesCache } from './check-redis.ts'
import { describeAges } from './database-ages.ts'
import { describeClock, describeTls } from './database-connection.ts'
import { describePooler } from './database-pooler.ts'
import { describeConnections, describeRights } from './database-rights.ts'
import { describeSettings } from './database-settings.ts'
import { describeWaits } from './database-waits.ts'
import { describeWrites } from './database-writes.ts'

/** What other checks compare with the database. Undefined where the database cannot be read. */
interface FoundInDatabase extends ServicesCache {
  /** The ids of the published signing keys. */
  publishedKids?: string[]
}

interface DatabaseResult {
  checks: Check[]
  found: FoundInDatabase
}

const versionMin = 15
/** Tables may be locked, which `database-waits` says. */
const statementMsMax = 10_000

export async function checkDatabase(config: Config): Promise<DatabaseResult> {
  await using closing = new AsyncDisposableStack()
  let storage: Storage | undefined
  let client: ServerClient | undefined
  const reachable = await check('database', async () => {
    storage = await openStorage(config)
    closing.defer(storage.close)
    client = await connect(storage.databaseUrl, closing)
    const server = await describeServer(client)
    return storage.embedded ? `${server}: ${storage.embedded}` : server
  })
  if (!storage || !client) return { checks: [reachable], found: {} }
  const { databaseUrl, directDatabaseUrl, encryptionKeys } = storage
  const connected = client
  let fitsProgram = false
  const schema = await check('database-schema', async () => {
    const status = await readSchema(directDatabaseUrl)
    const description = describeSchema(status, config)
    fitsProgram = status.pending.length === 0
    return description
  })
  const checks = [
    reachable,
    await check('database-tls', () => describeTls(connected, connectionOptions(databaseUrl))),
    await check('database-pooler', () => describePoolers(storage!, connected, closing)),
    schema,
    await check('database-settings', () =>
      describeSettings(connected, { keepsSession: databaseUrl === directDatabaseUrl }),
    ),
    await check('database-rights', () => describeRights(connected, config)),
    await check('database-writes', async () => describeWrites(await connect(databaseUrl, closing))),
    await check('database-waits', () => describeWaits(connected)),
    await check('database-clock', () => describeClock(connected)),
    await check('database-connections', () => describeConnections(connected, config)),
  ]
  if (!fitsProgram) return { checks, found: {} }
  const encryption = await check('encryption-key', () => describeEncryption(connected, encryptionKeys))
  const ages = await check('ages', () => describeAges(connected, new Date()))
  return { checks: [...checks, encryption, ages], found: await read(connected) }
}

/** The pooler of either URL. LISTEN and migrations use the direct one. */
async function describePoolers(
  { databaseUrl, directDatabaseUrl }: Storage,
  client: ServerClient,
  closing: AsyncDisposableStack,
): Promise<string> {
  const another = () => connect(databaseUrl, closing)
  const isDirect = directDatabaseUrl === databaseUrl
  const description = await describePooler(client, { connect: another, needsSession: isDirect })
  if (isDirect) return description
  const direct = () => connect(directDatabaseUrl, closing, 'DATABASE_DIRECT_URL')
  await describePooler(await direct(), { connect: direct, needsSession: true })
  return `${description}; DATABASE_DIRECT_URL keeps sessions`
}

async function connect(
  url: string,
  closing: AsyncDisposableStack,
  variable = 'DATABASE_URL',
): Promise<ServerClient> {
  try {
    const options = connectionOptions(url, { applicationName })
    const client = await connectTo({ ...options, statement_timeout: statementMsMax })
    closing.defer(() => client.close())
    return client
  } catch (error) {
    if (error instanceof ServerRoleError) {
      throw new Fault(`${error.message}: ${variable} must lead to the primary`)
    }
    const { message, code } = error as NodeJS.ErrnoException
    throw new Fault(
      describeUnsuitableDatabase(error) ??
        `${variable}: PostgreSQL cannot be used: ${message || code}. Check host, port, user, password, pg_hba.conf and firewalls`,
    )
  }
}

async function describeServer(client: ServerClient): Promise<string> {
  const { rows } = await client.query<{ version: string; major: number; name: string; size: string }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
       current_database() as name, pg_size_pretty(pg_database_size(current_database())) as size`,
  )
  const { version, major, name, size } = rows[0]!
  if (major < versionMin) {
    throw new Fault(`PostgreSQL ${version} is too old: upgrade it to ${versionMin} or newer`)
  }
  return `PostgreSQL ${version} at ${client.host}:${client.port}, database ${name} (${size})`
}

async function readSchema(url: string): Promise<SchemaStatus> {
  return await inspectSchema({ url, applicationName }).catch((error: Error) => {
    const description = describeUnsuitableDatabase(error)
    throw description === undefined ? error : new Fault(description)
  })
}

function describeSchema(status: SchemaStatus, { migrateOnStart }: Config): string {
  const { applied, pending, newer, oldestProgram } = status
  const refusal = describeRefusal(status)
  if (refusal !== undefined) throw new Fault(refusal)
  if (pending.length > 0) {
    if (migrateOnStart) return `pending: ${pending.join(', ')}; the next start applies them`
    throw new Fault(`pending: ${pending.join(', ')}: apply them with operator database migrate`)
  }
  if (newer.length === 0) return `current: ${applied.at(-1)}`
  return `newer than this program, by ${newer.join(', ')}; programs from ${oldestProgram} on can run on it`
}

async function describeEncryption(client: ServerClient, keys: string[]): Promise<string> {
  await assertDecryptable(client, createCipher(keys)).catch(error => {
    if (error instanceof DomainError) throw error
    throw new Fault(
      'ENCRYPTION_KEY lacks a key that secrets in this database are encrypted with: append it, then run operator encryption-key rotate',
    )
  })
  return 'decrypts all secrets of this database'
}

async function read(client: ServerClient): Promise<FoundInDatabase> {
  try {
    const keys = await findPublishedKeys(client, { now: new Date(), test: false })
    return {
      keyCache: await recordedKeyCache(client),
      redis: await recordedRedis(client),
      publishedKids: keys.map(({ publicJwk }) => publicJwk.kid),
    }
  } catch {
    // The rights are checked, and reported, on their own.
    return {}
  }
}
