import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { applyMigrations } from '#domain/schema/apply-migrations.ts'
import { PostgresPair } from './postgres-pair.ts'
import { TcpProxy } from './tcp-proxy.ts'

/** A PostgreSQL server of its own, migrated, on a file system that can be filled; and an address that follows the primary. */
export async function openMigratedPair() {
  const folder = await mkdtemp(join(tmpdir(), 'postgres-pair-'))
  // The server has an account of its own.
  await chmod(folder, 0o711)
  const pair = await PostgresPair.open(folder)
  const address = await TcpProxy.open(() => (pair.addressed ?? pair.primary).options.port)
  const databaseUrl = `postgres://postgres:${pair.primary.options.password}@127.0.0.1:${address.port}/postgres`
  await applyMigrations({ url: databaseUrl })
  return {
    pair,
    databaseUrl,
    async close() {
      await address.close()
      await pair.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
