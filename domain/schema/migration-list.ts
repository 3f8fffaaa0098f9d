import type { Migration } from '@mikro-orm/migrations'
import type { Constructor } from '@mikro-orm/postgresql'
import { Migration20261122010000 } from './migrations/Migration20261122010000.ts'
import { Migration20261123202134 } from './migrations/Migration20261123202134.ts'
import { Migration20261126030028 } from './migrations/Migration20261126030028.ts'
import { Migration20261126030029 } from './migrations/Migration20261126030029.ts'
import { Migration20261126030409 } from './migrations/Migration20261126030409.ts'
import { Migration20261126060333 } from './migrations/Migration20261126060333.ts'
import { Migration20261126091259 } from './migrations/Migration20261126091259.ts'
import { Migration20261126093549 } from './migrations/Migration20261126093549.ts'
import { Migration20261126093550 } from './migrations/Migration20261126093550.ts'
import { Migration20261126123921 } from './migrations/Migration20261126123921.ts'
import { Migration20261126124451 } from './migrations/Migration20261126124451.ts'
import { Migration20261126124714 } from './migrations/Migration20261126124714.ts'
import { Migration20261126124715 } from './migrations/Migration20261126124715.ts'
import type { SchemaMigration } from './schema-migration.ts'

export interface NamedMigration {
  name: string
  class: Constructor<Migration>
}

const migrations: Constructor<SchemaMigration>[] = [
  Migration20261122010000,
  Migration20261123202134,
  Migration20261126030028,
  Migration20261126030029,
  Migration20261126030409,
  Migration20261126060333,
  Migration20261126091259,
  Migration20261126093549,
  Migration20261126093550,
  Migration20261126123921,
  Migration20261126124451,
  Migration20261126124714,
  Migration20261126124715,
]

/**
 * Every migration of this program, oldest first. A list rather than a search in the folder, which finds nothing, and
 * says nothing, for a user who may not list a parent folder.
 */
export const migrationList: NamedMigration[] = migrations.map(migration => ({
  name: migration.name,
  class: migration,
}))
