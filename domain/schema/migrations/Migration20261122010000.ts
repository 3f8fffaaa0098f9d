import { readFileSync } from 'node:fs'
import { Migration } from '@mikro-orm/migrations'

/** The first schema: its tables, and then their partitions. */
export class Migration20261122010000 extends Migration {
  override name = 'Migration20261122010000'

  override up(): void {
    for (const file of ['Migration20261122010000.sql', 'verification-partitions.sql']) {
      this.addSql(readFileSync(`${import.meta.dirname}/${file}`, 'utf8'))
    }
  }
}
