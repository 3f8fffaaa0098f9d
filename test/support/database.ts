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
  await runAlone(maintenance, `create database ${name} template ${templateName}`)
  const url = new URL(maintenance)
  url.pathname = `/${name}`
  return { url: url.href, close: () => runAlone(maintenance, `drop database ${name} with (force)`) }
}

async function runAlone(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
