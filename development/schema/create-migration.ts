/** `npm run migration`: writes the migration from the last snapshot to the current entities, and schema.sql. */
import { writeFile } from 'node:fs/promises'
import { MikroORM } from '@mikro-orm/postgresql'
import { ormConfig } from '#domain/schema/orm.config.ts'
import { schemaSql } from './schema-sql.ts'

const orm = await MikroORM.init(
  ormConfig({ url: process.env.DATABASE_URL ?? 'postgres://127.0.0.1/postgres' }),
)
const { fileName } = await orm.migrator.create()
await writeFile('domain/schema/schema.sql', await schemaSql(orm))
console.log(
  fileName
    ? `Wrote ${fileName} and schema.sql. Add it to migration-list.ts.`
    : 'The entities have not changed.',
)
await orm.close(true)
