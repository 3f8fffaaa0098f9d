import { MikroORM, type PostgreSqlConnection } from '@mikro-orm/postgresql'
import { closeOrm } from '../database/close-orm.ts'
import { type ConnectionOptions, connectionOptions } from '../database/connection-options.ts'
import { assertPoolerUsable } from '../database/connection-pooler.ts'
import type { ServerClientClass } from '../database/server-client.ts'
import { type ServerState, serverStateQuery, unsuitableRole } from '../database/server-role.ts'
import { type CertificateExpiries, certificateExpiries } from '../database/tls-certificates.ts'
import { watchConnections } from '../database/watch-connections.ts'
import type { ClaimPool } from '../webhook/claim-transaction.ts'
import { answerMsMax, type DatabaseOptions, ormConfig } from './orm.config.ts'
import { assertSchemaCurrent, type Queryable } from './schema-status.ts'

const closeMsMax = 1_000

export interface Database {
  orm: MikroORM
  /** MikroORM's own pool, for the statements of the hot paths. */
  pool: ClaimPool
  usage(): PoolUsage
  certificates: CertificateExpiries
  /**
   * Resolves if the server answers and accepts writes. With a heartbeat, it is asked on that connection, and not behind
   * statements that wait for the pool.
   */
  probe(): Promise<void>
  close(): Promise<void>
}

/** The connections of the pool, and what waits for one. */
export interface PoolUsage {
  inUse: number
  idle: number
  /** Statements and transactions that wait for a connection. */
  waiting: number
  /** Connections at most. */
  size: number
}

export interface OpenOptions extends DatabaseOptions {
  /** Whether lost servers are detected by a heartbeat, for processes that run for long. It is one more connection. */
  hasHeartbeat?: boolean
  /** Whether LISTEN uses the same URL, so that no connection pooler may be in transaction mode. */
  needsSession?: boolean
}

/**
 * Connects and checks that all migrations are applied; it applies none itself. Throws a `SchemaError` if the schema
 * is older or newer than the program, a `PoolerError`, and the driver's error if the database is unavailable.
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const connection = connectionOptions(options.url, { applicationName: options.applicationName })
  const closing = new AsyncDisposableStack()
  const orm = await MikroORM.init(ormConfig(options, connection))
  closing.defer(() => closeInTime(orm, connection))
  try {
    const pool = await (orm.em.getConnection() as PostgreSqlConnection).getNativeClient()
    await assertPoolerUsable(pool, { needsSession: options.needsSession ?? false })
    await assertSchemaCurrent(pool)
    const watch = options.hasHeartbeat
      ? watchConnections(connection, { answerMsMax: answerMsMax(connection) })
      : undefined
    closing.defer(() => watch?.close())
    const close = closing.move()
    return {
      orm,
      pool: pool as unknown as ClaimPool,
      certificates: certificateExpiries(connection),
      usage: () => ({
        inUse: pool.totalCount - pool.idleCount,
        idle: pool.idleCount,
        waiting: pool.waitingCount,
        size: pool.options.max,
      }),
      probe: () => probe(watch ?? pool),
      close: () => close.disposeAsync(),
    }
  } catch (error) {
    await closing.disposeAsync()
    throw error
  }
}

/** A connection whose statement hangs is not waited for longer than 1 s. */
async function closeInTime(orm: MikroORM, { Client }: ConnectionOptions): Promise<void> {
  const { openClients } = Client as unknown as ServerClientClass
  const late = setTimeout(() => {
    for (const client of openClients) client.destroy(new Error('Connection terminated'))
  }, closeMsMax)
  await closeOrm(orm)
  clearTimeout(late)
}

async function probe(connection: Queryable): Promise<void> {
  const { rows } = await connection.query(serverStateQuery)
  const role = unsuitableRole('read-write', rows[0] as ServerState)
  if (role) throw new Error(`The PostgreSQL server is ${role}`)
}
