import { assertDecryptable } from '#domain/encryption-key/encrypted-columns.ts'
import { DomainError } from '#domain/errors.ts'
import {
  connectionOptions,
  connect as connectTo,
  type ServerClient,
  ServerRoleError,
} from '#domain/postgres/index.ts'
import { inspectSchema } from '#domain/schema/apply-migrations.ts'
import { describeRefusal, SchemaError, type SchemaStatus } from '#domain/schema/schema-status.ts'
import { findPublishedKeys } from '#domain/signing-key/published-keys.ts'
import { createCipher } from '#server/cipher.ts'
import type { Config } from '#server/configuration/config.ts'
import { applicationName } from '../open-scope.ts'
import { openStorage, type Storage } from '../open-storage.ts'
import { check, type Examined, Fault } from './check.ts'
import { describeAges } from './database-ages.ts'
import { describeDeletions } from './database-deletions.ts'
import { describeRights } from './database-rights.ts'
import { describeSettings } from './database-settings.ts'
import { describeTransactions } from './database-transactions.ts'
import { describeWorkers } from './database-workers.ts'

interface DatabaseResult {
  checks: Examined[]
  /** The ids of the published signing keys; none where the database cannot be read. */
  publishedKids: string[]
}

const versionMin = 15
const statementMsMax = 2_500
/** Of all checks of the database: one that is frozen answers none. */
const databaseMsMax = 8_000
/** An embedded one is started, or even made. */
const embeddedMsMax = 60_000
const clockMsMax = 2_000

export async function checkDatabase(config: Config): Promise<DatabaseResult> {
  const closing = new AsyncDisposableStack()
  let storage: Storage | undefined
  const opening = await check(
    'database',
    async () => {
      storage = await openStorage(config)
      closing.defer(storage.close)
      return 'opened'
    },
    embeddedMsMax,
  )
  try {
    return storage ? await checkOpened(config, storage, closing) : { checks: [opening], publishedKids: [] }
  } finally {
    await closing.disposeAsync()
  }
}

async function checkOpened(
  config: Config,
  { databaseUrl, encryptionKeys, embedded }: Storage,
  closing: AsyncDisposableStack,
): Promise<DatabaseResult> {
  const checkInTime = checkUntil(performance.now() + databaseMsMax)
  let connected: ServerClient | undefined
  const reachable = await checkInTime('database', async () => {
    const client = await connect(databaseUrl)
    closing.defer(() => client.close())
    await client.query(`set statement_timeout = ${statementMsMax}`)
    connected = client
    const server = await describeServer(client)
    return embedded ? `${server}: ${embedded}` : server
  })
  if (!connected) return { checks: [reachable], publishedKids: [] }
  const client = connected
  let fitsProgram = false
  // By the server's clock, so that a wrong one of this machine is one fault.
  let aheadMs = 0
  const now = () => new Date(Date.now() - aheadMs)
  const checks = [
    reachable,
    await checkInTime('database-schema', async () => {
      const status = await readSchema(databaseUrl)
      const description = describeSchema(status, config)
      fitsProgram = status.pending.length === 0
      return description
    }),
    await checkInTime('database-settings', () => describeSettings(client)),
    await checkInTime('database-rights', () => describeRights(client, config)),
    await checkInTime('database-transactions', () => describeTransactions(client)),
    await checkInTime('database-clock', async () => {
      const { serverMs, ownMs, uncertainMs } = await readClocks(client)
      aheadMs = ownMs - serverMs
      return compareClocks(serverMs, ownMs, uncertainMs)
    }),
  ]
  if (!fitsProgram) return { checks, publishedKids: [] }
  checks.push(
    await checkInTime('encryption-key', () => describeEncryption(client, encryptionKeys)),
    await checkInTime('worker', () => describeWorkers(client, now)),
    await checkInTime('ages', () => describeAges(client, now())),
    await checkInTime('session-deletions', () => describeDeletions(client, now())),
  )
  let publishedKids: string[] = []
  // The rights are checked, and reported, on their own.
  await checkInTime('published-keys', async () => {
    const keys = await findPublishedKeys(client, { now: now(), test: false })
    publishedKids = keys.map(({ publicJwk }) => publicJwk.kid)
    return ''
  })
  return { checks, publishedKids }
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
    `a statement did not finish within ${statementMsMax / 1_000} s: a session holds a lock (see pg_blocking_pids), or the server is overloaded`,
    { cause: error },
  )
}

async function connect(url: string): Promise<ServerClient> {
  try {
    return await connectTo(connectionOptions(url, { applicationName }))
  } catch (error) {
    if (error instanceof ServerRoleError) {
      throw new Fault(
        `${error.message}: DATABASE_URL must lead to the primary; if it does, find out who has set default_transaction_read_only, and why`,
      )
    }
    throw unusable(error)
  }
}

function unusable(error: unknown): Fault {
  const { message, code } = error as NodeJS.ErrnoException
  return new Fault(
    `DATABASE_URL: PostgreSQL cannot be used: ${message || code}: check that the server runs, host, port, user, password, pg_hba.conf, limits on connections, and firewalls`,
    { cause: error },
  )
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
    throw error instanceof SchemaError ? new Fault(error.message) : unusable(error)
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

async function readClocks(client: ServerClient) {
  const before = Date.now()
  const { rows } = await client.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  )
  const after = Date.now()
  return { serverMs: rows[0]!.ms, ownMs: (before + after) / 2, uncertainMs: (after - before) / 2 }
}

/** All in milliseconds. Throws a `Fault` if they differ by more than 2 s, however long the question and the answer took. */
export function compareClocks(serverMs: number, ownMs: number, uncertainMs = 0): string {
  const offsetMs = Math.round(serverMs - ownMs)
  if (Math.abs(offsetMs) <= clockMsMax + uncertainMs)
    return `differs by ${Math.abs(offsetMs)} ms from this machine's`
  const direction = offsetMs > 0 ? 'ahead of' : 'behind'
  throw new Fault(
    `the server's clock is ${Math.abs(offsetMs) / 1000} s ${direction} this machine's: synchronize both with NTP`,
  )
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
