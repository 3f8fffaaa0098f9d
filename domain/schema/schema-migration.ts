import { Migration } from '@mikro-orm/migrations'

/**
 * A step of the schema, and the oldest version of the program that can run on its result. That version is stored with it:
 * an older program, which doesn't know the migration, learns from the database whether it may run.
 */
export abstract class SchemaMigration extends Migration {
  /** `MAJOR.MINOR.PATCH`; never older than that of the migration before. */
  abstract readonly oldestProgram: string

  override getQueries() {
    const store = `insert into service_setting (name, value, updated_at)
       values ('${oldestProgramSetting}', '${this.oldestProgram}', now())
       on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`
    return [...super.getQueries(), store]
  }
}

/** The row of `service_setting` that says which program the last migration needs. */
export const oldestProgramSetting = 'oldest_program'
