import { readFileSync } from 'node:fs'
import { SchemaMigration } from '../schema-migration.ts'

/** The schema of 1.0.0. */
export class Migration20261122010000 extends SchemaMigration {
  override name = 'Migration20261122010000'
  override oldestProgram = '1.0.0'

  override up(): void {
    this.addSql(readFileSync(`${import.meta.dirname}/Migration20261122010000.sql`, 'utf8'))
  }
}
