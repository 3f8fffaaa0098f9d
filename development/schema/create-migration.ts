/** `npm run migration`: writes the migration from the last snapshot to the current entities, and schema.sql. */
import { writeFile } from 'node:fs/promises'
import { MigrationGenerator } from '@mikro-orm/migrations'
import { MikroORM } from '@mikro-orm/postgresql'
import { ormConfig } from '#domain/schema/orm.config.ts'
import { migrationSource } from './migration-source.ts'
import { schemaSql } from './schema-sql.ts'

class Generator extends MigrationGenerator {
  override generateMigrationFile(name: string, { up }: { up: string[] }): string {
    return migrationSource(name, up)
  }
}

const config = ormConfig({ url: process.env.DATABASE_URL ?? 'postgres://127.0.0.1/postgres' })
const orm = await MikroORM.init({ ...config, migrations: { ...config.migrations, generator: Generator } })
const { fileName } = await orm.migrator.create()
await writeFile('domain/schema/schema.sql', await schemaSql(orm))
console.log(
  fileName
    ? `Wrote ${fileName} and schema.sql. Add it to migration-list.ts, see that its oldestProgram is right, and then add its checksum: sha256sum ${fileName} >> checksums.txt`
    : 'The entities have not changed.',
)
await orm.close(true)
