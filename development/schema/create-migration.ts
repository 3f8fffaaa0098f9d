/**
 * `npm run migration`: writes the migration from what the migrations make to the current entities, its entry in the list, and
 * schema.sql. Without a change of the entities it writes the checksums of the newest migration, after an edit.
 */
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MikroORM } from '@mikro-orm/postgresql'
import { applyMigrations } from '#domain/schema/apply-migrations.ts'
import { migrationList } from '#domain/schema/migration-list.ts'
import { ormConfig } from '#domain/schema/orm.config.ts'
import { databaseName, startPostgres } from '../postgres/start-postgres.ts'
import { migrationSource } from './migration-source.ts'
import { addToList, setChecksum } from './register-migration.ts'
import { schemaDifference } from './schema-difference.ts'
import { schemaSql } from './schema-sql.ts'

const folder = 'domain/schema/migrations'
const listFile = 'domain/schema/migration-list.ts'

async function edit(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(path, change(await readFile(path, 'utf8')))
}

const dataFolder = await mkdtemp(join(tmpdir(), 'age-verification-migration-'))
await chmod(dataFolder, 0o711)
const postgres = await startPostgres({ folder: dataFolder, port: 0, databaseName, durable: false })
await applyMigrations({ url: postgres.url })
const orm = await MikroORM.init(ormConfig({ url: postgres.url }))
const statements = await schemaDifference(orm)
await writeFile('domain/schema/schema.sql', await schemaSql(orm))
await orm.close(true)
await postgres.close()
await rm(dataFolder, { recursive: true })

const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
const added = statements.length > 0 ? `Migration${time}` : undefined
const newest = added ?? migrationList.at(-1)!.name
if (added) {
  await writeFile(`${folder}/${added}.ts`, migrationSource(added, statements))
  await edit(listFile, list => addToList(list, added))
}
execFileSync('biome', ['check', '--write', 'domain/schema'], { stdio: ['ignore', 'ignore', 'inherit'] })
for (const file of (await readdir(folder)).filter(name => name.startsWith(`${newest}.`))) {
  const content = await readFile(`${folder}/${file}`, 'utf8')
  await edit(`${folder}/checksums.txt`, checksums => setChecksum(checksums, file, content))
}
console.log(
  added
    ? `Wrote ${newest}.ts and schema.sql. Review its SQL and its oldestProgram; after an edit, run this again for its checksum.`
    : `The entities have not changed. Wrote the checksum of ${newest}.`,
)
