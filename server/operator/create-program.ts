import { Command } from 'commander'
import { addAuditCommands } from './commands/audit.ts'
import { addDatabaseCommands } from './commands/database.ts'
import { addDemoCommands } from './commands/demo.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addEncryptionKeyCommands } from './commands/encryption-key.ts'
import { addKeyCommands } from './commands/key.ts'
import { addMemberCommands } from './commands/member.ts'
import { addPlanCommands } from './commands/plan.ts'
import { addSigningKeyCommands } from './commands/signing-key.ts'
import { addTenantCommands } from './commands/tenant.ts'
import { addTenantSettingCommands } from './commands/tenant-settings.ts'
import { addTokenCommands } from './commands/token.ts'
import type { Perform, PerformOnDatabase } from './perform.ts'

const examples = `
Examples:
  npm run --silent operator -- tenant create --name "Corner Shop"
  npm run --silent operator -- key create --tenant ID --scopes tokens:validate
  npm run --silent operator -- plan set --name large --monthly-quota 100000 --hard-limit 200000
  npm run --silent operator -- tenant list --json

Commands can run while the service is running; changes take effect immediately. They read the same environment
variables as the service. The exit code is 0, or 1 with a one-line error on standard error.`

export interface Performers {
  perform: Perform
  performOnDatabase: PerformOnDatabase
  /** Runs `doctor`. */
  performDiagnosis: () => Promise<void>
}

/** The whole command line. Errors are thrown as `CommanderError`; help is written to `write`. */
export function createProgram(
  { perform, performOnDatabase, performDiagnosis }: Performers,
  write: (text: string) => void,
): Command {
  const program = new Command('operator')
    .description('Administers the tenants, members, plans, keys and tokens of the age verification service.')
    .usage('NOUN VERB [options]')
    .helpOption('-h, --help', 'Show help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => {}, outputError: () => {} })
    .addHelpText('after', examples)
  const tenant = addTenantCommands(program, perform)
  addTenantSettingCommands(tenant, perform)
  addMemberCommands(program, perform)
  addKeyCommands(program, perform)
  addPlanCommands(program, perform)
  addTokenCommands(program, perform)
  addSigningKeyCommands(program, perform)
  addEncryptionKeyCommands(program, perform)
  addAuditCommands(program, perform)
  addDatabaseCommands(program, performOnDatabase)
  addDemoCommands(program, perform)
  addDoctorCommand(program, performDiagnosis)
  for (const noun of program.commands) {
    if (noun.commands.length > 0) noun.usage('VERB [options]').helpCommand(false)
    else noun.option('--json', jsonDescription)
    for (const verb of noun.commands) verb.option('--json', jsonDescription)
  }
  return program.option('--json', jsonDescription)
}

const jsonDescription = 'Print one JSON value and nothing else'
