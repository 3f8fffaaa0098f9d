import { Migrator } from '@mikro-orm/migrations'
import { defineConfig, type Options } from '@mikro-orm/postgresql'
import { type ConnectionOptions, connectionOptions, prepareSession, setSettings } from '../postgres/index.ts'
import { entities } from './entities.ts'
import type { Queryable } from './schema-status.ts'

export interface DatabaseOptions {
  /** `postgres:` URL of PostgreSQL 15 or newer. */
  url: string
  /** The name of its connections in `pg_stat_activity`, unless the URL has one. */
  applicationName?: string
  /** Connections at most. */
  poolSize?: number
}

/** Throws a `ConnectionUrlError`. */
export function ormConfig(
  { url, applicationName, poolSize = 20 }: DatabaseOptions,
  connection: ConnectionOptions = connectionOptions(url, { applicationName }),
): Options {
  return defineConfig({
    entities,
    dbName: connection.database,
    extensions: [Migrator],
    pool: { min: 0, max: poolSize },
    ensureDatabase: false,
    driverOptions: {
      // MikroORM has defaults for these, `pg` reads them from the environment.
      user: '',
      password: '',
      ...connection,
      onPoolCreated: parseTimestamps,
      onConnect: (client: Queryable) => prepareSession(client, setSettings(poolSettings)),
    },
    migrations: {
      path: `${import.meta.dirname}/migrations`,
      pathTs: `${import.meta.dirname}/migrations`,
      glob: '!(*.d).ts',
      emit: 'ts',
      snapshot: false,
      silent: true,
    },
    preferTs: true,
  })
}

/**
 * Plans that depend neither on the values nor on the size that a table had when they were made. Each is made once per
 * connection, and uses the indexes of a table that is still empty. JIT would compile the plans of small tables that have no
 * index. What else can keep a plan from an index is on.
 */
export const planSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
  enable_indexscan: 'on',
  enable_indexonlyscan: 'on',
  enable_bitmapscan: 'on',
  enable_nestloop: 'on',
  enable_hashjoin: 'on',
}

/** With how long a statement may take, and wait for a row or table that another transaction has locked, in milliseconds. */
const poolSettings = { ...planSettings, statement_timeout: '30000', lock_timeout: '3000' }

const timestamptzOid = 1184

/** MikroORM reads a timestamp as text by default; with this, rows of prepared statements have `Date`s too. */
function parseTimestamps(pool: PoolWithTypes): void {
  pool.options.types.setTypeParser(timestamptzOid, text => new Date(text))
}

interface PoolWithTypes {
  options: { types: { setTypeParser(oid: number, parse: (text: string) => unknown): void } }
}
