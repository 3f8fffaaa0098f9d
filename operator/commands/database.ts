import type { Command } from 'commander'
import { applyMigrations, pendingMigrations } from '#domain/schema/apply-migrations.ts'
import { record } from '../output.ts'
import type { Performers } from '../perform.ts'

export function addCommands(noun: Command, { performOnDatabase: perform }: Performers): void {
  noun
    .command('migrate')
    .description('Apply pending migrations; waits while another process is migrating')
    .action(() =>
      perform(async (connection, err) => {
        const onWait = () => err.write('Waiting for another process to finish migrating\n')
        const onLocked = (migration: string) =>
          err.write(`The migration ${migration} could not lock its tables; trying again\n`)
        return record({ applied: await applyMigrations({ ...connection, onWait, onLocked }) })
      }),
    )
  noun
    .command('status')
    .description('Show which migrations are pending; changes nothing')
    .action(() => perform(async connection => record({ pending: await pendingMigrations(connection) })))
}
