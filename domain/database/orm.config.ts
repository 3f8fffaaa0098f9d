import { Migrator } from '@mikro-orm/migrations'
import { defineConfig, type Options } from '@mikro-orm/postgresql'
import { entities } from './entities.ts'

export interface DatabaseOptions {
  /** `postgres:` URL of PostgreSQL 15 or newer. */
  url: string
  /** Connections at most. */
  poolSize?: number
}

export function ormConfig({ url, poolSize = 20 }: DatabaseOptions): Options {
  return defineConfig({
    entities,
    clientUrl: url,
    extensions: [Migrator],
    pool: { min: 0, max: poolSize },
    ensureDatabase: false,
    driverOptions: { connectionTimeoutMillis: 5_000, statement_timeout: 30_000, keepAlive: true },
    migrations: {
      path: `${import.meta.dirname}/migrations`,
      pathTs: `${import.meta.dirname}/migrations`,
      glob: '!(*.d).ts',
      emit: 'ts',
      snapshotName: '.snapshot',
      snapshotOnMigrate: false,
      silent: true,
    },
    preferTs: true,
  })
}
