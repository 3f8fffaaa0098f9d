import type { Command } from 'commander'
import { applyMigrations, inspectSchema } from '#domain/schema/apply-migrations.ts'
import { programVersion } from '#domain/schema/program-version.ts'
import { describeRefusal } from '#domain/schema/schema-status.ts'
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
        const onNewer = (newer: string[]) =>
          err.write(`The schema is newer than this program, which can run on it: ${newer.join(', ')}\n`)
        return record({ applied: await applyMigrations({ ...connection, onWait, onLocked, onNewer }) })
      }),
    )
  noun
    .command('status')
    .description('Show which migrations are pending, and the oldest program that can run; changes nothing')
    .action(() =>
      perform(async connection => {
        const status = await inspectSchema(connection)
        const { applied, pending, newer, oldestProgram } = status
        const fields = { program: programVersion, oldestProgram, applied, pending, newer }
        return record(fields, describeRefusal(status))
      }),
    )
}
