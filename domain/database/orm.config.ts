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
    driverOptions: {
      connectionTimeoutMillis: 5_000,
      statement_timeout: 30_000,
      keepAlive: true,
      onPoolCreated: parseTimestamps,
    },
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

const timestamptzOid = 1184

/** MikroORM reads a timestamp as text by default; with this, rows of prepared statements have `Date`s too. */
function parseTimestamps(pool: PoolWithTypes): void {
  pool.options.types.setTypeParser(timestamptzOid, text => new Date(text))
}

interface PoolWithTypes {
  options: { types: { setTypeParser(oid: number, parse: (text: string) => unknown): void } }
}
