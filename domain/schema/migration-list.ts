import type { Migration } from '@mikro-orm/migrations'
import type { Constructor } from '@mikro-orm/postgresql'
import { Migration20261122010000 } from './migrations/Migration20261122010000.ts'
import type { SchemaMigration } from './schema-migration.ts'

export interface NamedMigration {
  name: string
  class: Constructor<Migration>
}

const migrations: Constructor<SchemaMigration>[] = [Migration20261122010000]

/**
 * Every migration of this program, oldest first. A list rather than a search in the folder, which finds nothing, and
 * says nothing, for a user who may not list a parent folder.
 */
export const migrationList: NamedMigration[] = migrations.map(migration => ({
  name: migration.name,
  class: migration,
}))
