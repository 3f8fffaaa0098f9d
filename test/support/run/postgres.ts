import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#domain/database/open-database.ts'
import { startPostgres } from '#server/development/postgres.ts'

export interface SharedPostgres {
  /** Of the maintenance database. */
  url: string
  /** A migrated database to clone. Nobody connects to it. */
  templateName: string
}

/** One real PostgreSQL for all test files, with a migrated template. Nothing is forced to the disk. */
export async function startSharedPostgres(closing: AsyncDisposableStack): Promise<SharedPostgres> {
  const templateName = 'test_template'
  const folder = await mkdtemp(join(tmpdir(), 'age-verification-test-'))
  closing.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o711)
  const postgres = await startPostgres({ folder, port: 0, databaseName: templateName, durable: false })
  closing.defer(() => postgres.close())
  const database = await openDatabase({ url: postgres.url })
  await database.close()
  const url = new URL(postgres.url)
  url.pathname = '/postgres'
  return { url: url.href, templateName }
}
