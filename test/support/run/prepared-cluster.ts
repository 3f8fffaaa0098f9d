import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '#server/development/postgres.ts'

/** A data folder with an initialised, empty PostgreSQL cluster, to be copied: `initdb` takes a second of CPU time. */
export async function prepareCluster(closing: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'age-verification-cluster-'))
  closing.defer(() => rm(folder, { recursive: true, force: true }))
  const postgres = await startPostgres({ folder, port: 0, databaseName: 'postgres', durable: false })
  await postgres.close()
  return folder
}
