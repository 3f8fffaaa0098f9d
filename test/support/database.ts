import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { testPostgres } from './postgres.ts'

export interface TestDatabase {
  url: string
  /** Drops it, connections and all. */
  close(): Promise<void>
}

/** A migrated database of the caller's own, cloned from the template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { url: maintenance, templateName } = await testPostgres()
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await runAlone(maintenance, `create database ${name} template ${templateName}`)
  const url = new URL(maintenance)
  url.pathname = `/${name}`
  return { url: url.href, close: () => runAlone(maintenance, `drop database ${name} with (force)`) }
}

async function runAlone(url: URL, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
