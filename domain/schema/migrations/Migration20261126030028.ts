import { readFileSync } from 'node:fs'
import { SchemaMigration } from '../schema-migration.ts'

/**
 * Deliveries no longer need `delivery_queue`, `claim_token` and `lease_until`, which 1.0.0 uses. They remain, with triggers
 * by which workers of both versions deliver the same rows, until a later version drops them.
 */
export class Migration20261126030028 extends SchemaMigration {
  override name = 'Migration20261126030028'
  override oldestProgram = '1.0.0'

  override up(): void {
    this.addSql(readFileSync(`${import.meta.dirname}/deliveries-of-1.0.sql`, 'utf8'))
  }
}
