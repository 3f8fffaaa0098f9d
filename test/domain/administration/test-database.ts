import { randomUUID } from 'node:crypto'
import pg from 'pg'

const server = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5999/postgres'

/** An empty database of its own for one test file. */
export async function createTestDatabase(): Promise<{ url: string; close(): Promise<void> }> {
  const name = `administration_${randomUUID().replaceAll('-', '')}`
  await run(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, close: () => run(`drop database ${name} with (force)`) }
}

async function run(text: string): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  await client.query(text)
  await client.end()
}
