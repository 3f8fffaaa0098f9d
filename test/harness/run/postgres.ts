import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { databaseName, startPostgres } from '#development/postgres/start-postgres.ts'
import { loadOrCreateCertificate } from '#development/webhook-receiver/certificate.ts'
import { applyMigrations } from '#domain/schema/apply-migrations.ts'

export interface SharedPostgres {
  /** Of the maintenance database. */
  url: string
  /** A migrated database to clone. Nobody connects to it. */
  templateName: string
}

/** One real PostgreSQL for all test files, with a migrated template. Nothing is forced to the disk. */
export async function startSharedPostgres(closing: AsyncDisposableStack): Promise<SharedPostgres> {
  const templateName = 'test_template'
  const postgres = await startTemporaryPostgres(templateName, closing)
  closing.defer(() => postgres.close())
  await applyMigrations({ url: postgres.url })
  const url = new URL(postgres.url)
  url.pathname = '/postgres'
  return { url: url.href, templateName }
}

/**
 * A data folder with a migrated, empty database and the receiver's certificate, to be copied for services that are not
 * to spend a second of CPU time on making them.
 */
export async function prepareDataFolder(closing: AsyncDisposableStack): Promise<string> {
  const { folder, url, close } = await startTemporaryPostgres(databaseName, closing)
  await applyMigrations({ url })
  await close()
  await loadOrCreateCertificate(folder)
  return folder
}

/** Its folder is removed at the end of the run. Stopping it is left to the caller. */
async function startTemporaryPostgres(databaseName: string, closing: AsyncDisposableStack) {
  const folder = await mkdtemp(join(tmpdir(), 'age-verification-test-'))
  closing.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o711)
  const postgres = await startPostgres({ folder, port: 0, databaseName, durable: false })
  await makePasswordCheap(postgres.url)
  return { ...postgres, folder }
}

/** Hashes the password once instead of 4,096 times for each of the thousands of connections of a test run. */
async function makePasswordCheap(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('set scram_iterations = 1')
  await client.query(`alter role postgres password ${client.escapeLiteral(new URL(url).password)}`)
  await client.end()
}
