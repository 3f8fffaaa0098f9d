import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { SharedPostgres } from './run/postgres.ts'
import { sharedResource } from './run/shared-resources.ts'

export interface TestDatabase {
  url: string
  /** Drops it, and ends its connections. */
  close(): Promise<void>
}

/** A dedicated, migrated database, cloned from the template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { url: maintenance, templateName } = await sharedResource<SharedPostgres>('postgres')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // A fifth of the CPU time of PostgreSQL's default, which writes the whole database to the write-ahead log.
  const strategy = `template ${templateName} strategy file_copy`
  await run(maintenance, 'set file_copy_method = clone', `create database ${name} ${strategy}`)
  return testDatabase(maintenance, name)
}

/** The same for a pool that lets a request wait for a connection however long a busy machine takes. */
export function patientUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  if (!url.searchParams.has('connect_timeout')) url.searchParams.set('connect_timeout', '60')
  return url.href
}

/** Has its statements wait for locks however long a busy machine takes, and not for the 3 s of the product. */
export function waitForLocks(pool: pg.Pool): void {
  const patient = new WeakSet<pg.PoolClient>()
  pool.on('acquire', client => {
    if (patient.has(client)) return
    patient.add(client)
    client.query({ text: 'set lock_timeout = 0; set statement_timeout = 0' }).catch(() => undefined)
  })
}

/** An empty database whose texts have another encoding than UTF8. */
export async function createForeignDatabase(encoding: string): Promise<TestDatabase> {
  const { url: maintenance } = await sharedResource<SharedPostgres>('postgres')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await run(maintenance, `create database ${name} encoding '${encoding}' locale 'C' template template0`)
  return testDatabase(maintenance, name)
}

function testDatabase(maintenance: string, name: string): TestDatabase {
  const url = new URL(maintenance)
  url.pathname = `/${name}`
  return { url: url.href, close: () => run(maintenance, `drop database ${name} with (force)`) }
}

async function run(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
