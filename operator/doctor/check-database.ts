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
import { findPublishedKeys } from '#domain/signing-key/published-keys.ts'
import { createCipher } from '#server/cipher.ts'
import type { Config } from '#server/configuration/config.ts'
import { describeUnsuitableDatabase } from '#server/configuration/start-error.ts'
import { applicationName } from '../open-scope.ts'
import { openStorage, type Storage } from '../open-storage.ts'
import { adviseConnection } from './advise-connection.ts'
import { type Check, check, Fault } from './check.ts'
import { describeAges } from './database-ages.ts'
import { describeClock, describeTls } from './database-connection.ts'
import { describePooler } from './database-pooler.ts'
import { describeConnections, describeRights } from './database-rights.ts'
import { describeSettings } from './database-settings.ts'
import { describeWaits } from './database-waits.ts'
import { describeWorkers } from './database-workers.ts'
import { describeWrites } from './database-writes.ts'

/** What other checks compare with the database. Undefined where the database cannot be read. */
interface FoundInDatabase {
  /** The ids of the published signing keys. */
  publishedKids?: string[]
}

interface DatabaseResult {
  checks: Check[]
  found: FoundInDatabase
}

const versionMin = 15
/** Tables may be locked, which `database-waits` says. */
const statementMsMax = 2_500
/** Of all checks of the database: one that is frozen answers none. */
const databaseMsMax = 8_000
/** An embedded one is started, or even made. */
const embeddedMsMax = 60_000

export async function checkDatabase(config: Config): Promise<DatabaseResult> {
  let storage: Storage | undefined
  const opening = await check(
    'database',
    async () => {
      storage = await openStorage(config)
      return 'opened'
    },
    embeddedMsMax,
  )
  if (!storage) return { checks: [opening], found: {} }
  const opened: ServerClient[] = []
  try {
    return await checkOpened(config, storage, opened)
  } finally {
    await Promise.all(opened.map(client => client.close()))
    await storage.close()
  }
}

async function checkOpened(
  config: Config,
  storage: Storage,
  opened: ServerClient[],
): Promise<DatabaseResult> {
  const { databaseUrl, directDatabaseUrl, encryptionKeys, embedded } = storage
  const checkInTime = checkUntil(performance.now() + databaseMsMax)
  let client: ServerClient | undefined
  const reachable = await checkInTime('database', async () => {
    client = await connect(databaseUrl, opened)
    const server = await describeServer(client)
    return embedded ? `${server}: ${embedded}` : server
  })
  if (!client) return { checks: [reachable], found: {} }
  const connected = client
  let fitsProgram = false
  const schema = await checkInTime('database-schema', async () => {
    const status = await readSchema(directDatabaseUrl)
    const description = describeSchema(status, config)
    fitsProgram = status.pending.length === 0
    return description
  })
  const checks = [
    reachable,
    await checkInTime('database-tls', () => describeTls(connected, connectionOptions(databaseUrl))),
    await checkInTime('database-pooler', () => describePoolers(storage, connected, opened)),
    schema,
    await checkInTime('database-settings', () =>
      describeSettings(connected, { keepsSession: databaseUrl === directDatabaseUrl }),
    ),
    await checkInTime('database-rights', () => describeRights(connected, config)),
    await checkInTime('database-writes', async () => describeWrites(await connect(databaseUrl, opened))),
    await checkInTime('database-waits', () => describeWaits(connected)),
    await checkInTime('database-clock', () => describeClock(connected)),
    await checkInTime('database-connections', () => describeConnections(connected, config)),
  ]
  if (!fitsProgram) return { checks, found: {} }
  const encryption = await checkInTime('encryption-key', () => describeEncryption(connected, encryptionKeys))
  const worker = await checkInTime('worker', () => describeWorkers(connected, () => new Date()))
  const ages = await checkInTime('ages', () => describeAges(connected, new Date()))
  let found: FoundInDatabase = {}
  // No check, but with the same deadline.
  await checkInTime('found', async () => {
    found = await read(connected)
    return ''
  })
  return { checks: [...checks, encryption, worker, ages], found }
}

/** Returns the function that runs a check, until this time of `performance.now()`. */
function checkUntil(endsAt: number): typeof check {
  return (name, examine) => check(name, () => examine().catch(throwTimeout), endsAt - performance.now())
}

const canceled = '57014'

function throwTimeout(error: Error): never {
  const { code } = (error.cause ?? error) as NodeJS.ErrnoException
  if (code !== canceled) throw error
  throw new Fault(
    `a statement did not finish within ${statementMsMax / 1_000} s: see database-waits, or the server is overloaded`,
  )
}

/** The pooler of either URL. LISTEN and migrations use the direct one. */
async function describePoolers(
  { databaseUrl, directDatabaseUrl }: Storage,
  client: ServerClient,
  opened: ServerClient[],
): Promise<string> {
  const another = () => connect(databaseUrl, opened)
  const isDirect = directDatabaseUrl === databaseUrl
  const description = await describePooler(client, { connect: another, needsSession: isDirect })
  if (isDirect) return description
  const direct = () => connect(directDatabaseUrl, opened, 'DATABASE_DIRECT_URL')
  await describePooler(await direct(), { connect: direct, needsSession: true })
  return `${description}; DATABASE_DIRECT_URL keeps sessions`
}

async function connect(
  url: string,
  opened: ServerClient[],
  variable = 'DATABASE_URL',
): Promise<ServerClient> {
  try {
    const options = connectionOptions(url, { applicationName })
    const client = await connectTo({ ...options, statement_timeout: statementMsMax })
    opened.push(client)
    return client
  } catch (error) {
    if (error instanceof ServerRoleError) {
      throw new Fault(
        `${error.message}: ${variable} must lead to the primary; if it does, find out who has set default_transaction_read_only, and why`,
      )
    }
    const { message, code } = error as NodeJS.ErrnoException
    throw new Fault(
      describeUnsuitableDatabase(error) ??
        `${variable}: PostgreSQL cannot be used: ${message || code}: ${adviseConnection(error as Error)}`,
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
    return { publishedKids: keys.map(({ publicJwk }) => publicJwk.kid) }
  } catch {
    // The rights are checked, and reported, on their own.
    return {}
  }
}
