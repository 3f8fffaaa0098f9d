/**
 * `npm run migration`: writes the migration from the last snapshot to the current entities, its entry in the list, and
 * schema.sql. Without a change of the entities it writes the checksum of the newest migration, after an edit.
 */
import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { MigrationGenerator } from '@mikro-orm/migrations'
import { MikroORM } from '@mikro-orm/postgresql'
import { migrationList } from '#domain/schema/migration-list.ts'
import { ormConfig } from '#domain/schema/orm.config.ts'
import { migrationSource } from './migration-source.ts'
import { addToList, setChecksum } from './register-migration.ts'
import { schemaSql } from './schema-sql.ts'

const folder = 'domain/schema/migrations'
const listFile = 'domain/schema/migration-list.ts'

class Generator extends MigrationGenerator {
  override generateMigrationFile(name: string, { up }: { up: string[] }): string {
    return migrationSource(name, up)
  }
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(path, change(await readFile(path, 'utf8')))
}

const config = ormConfig({ url: process.env.DATABASE_URL ?? 'postgres://127.0.0.1/postgres' })
const orm = await MikroORM.init({ ...config, migrations: { ...config.migrations, generator: Generator } })
const { fileName } = await orm.migrator.create()
await writeFile('domain/schema/schema.sql', await schemaSql(orm))
await orm.close(true)

const newest = fileName || `${migrationList.at(-1)!.name}.ts`
if (fileName) await edit(listFile, list => addToList(list, fileName.replace(/\.ts$/, '')))
execFileSync('biome', ['check', '--write', 'domain/schema'], { stdio: ['ignore', 'ignore', 'inherit'] })
const content = await readFile(`${folder}/${newest}`, 'utf8')
await edit(`${folder}/checksums.txt`, checksums => setChecksum(checksums, newest, content))
console.log(
  fileName
    ? `Wrote ${newest} and schema.sql. Review its SQL and its oldestProgram; after an edit, run this again for its checksum.`
    : `The entities have not changed. Wrote the checksum of ${newest}.`,
)
