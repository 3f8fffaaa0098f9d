import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#domain/database/open-database.ts'
import { type EmbeddedPostgres, startPostgres } from '#server/development/postgres/start-postgres.ts'

const templateName = 'template_of_tests'

interface TestPostgres {
  /** Of the maintenance database. */
  url: URL
  templateName: string
}

let running: Promise<{ postgres: EmbeddedPostgres; folder: string; started: TestPostgres }> | undefined

/** One real PostgreSQL for all test files, started by the first that needs it, with a migrated template. */
export async function testPostgres(): Promise<TestPostgres> {
  running ??= start()
  return (await running).started
}

export async function stopTestPostgres(): Promise<void> {
  if (!running) return
  const { postgres, folder } = await running
  await postgres.close()
  await rm(folder, { recursive: true, force: true })
}

async function start() {
  const folder = await mkdtemp(join(tmpdir(), 'age-verification-test-'))
  await chmod(folder, 0o711)
  const postgres = await startPostgres({ folder, port: 0, databaseName: templateName, durable: false })
  const database = await openDatabase({ url: postgres.url })
  await database.close()
  const url = new URL(postgres.url)
  url.pathname = '/postgres'
  return { postgres, folder, started: { url, templateName } }
}
