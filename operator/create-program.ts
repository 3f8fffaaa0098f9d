import { Command } from 'commander'
import { version } from '#server/version.ts'
import type { Performers } from './perform.ts'
import { throwUsageErrors } from './throw-usage-errors.ts'

const examples = `
Examples:
  npm run --silent operator -- tenant create --name "Corner Shop"
  npm run --silent operator -- key create --tenant ID --scopes tokens:validate
  npm run --silent operator -- plan set --name large --monthly-quota 100000 --hard-limit 200000
  npm run --silent operator -- verification show --verification ID
  npm run --silent operator -- tenant list --json

Commands can run while the service is running; changes take effect immediately. They read the same environment
variables as the service. The exit code is 0, or 1 with a one-line error on standard error.`

interface Noun {
  description: string
  /** Its module, which is loaded only if the command line names the noun: each loads a part of the domain. */
  load(): Promise<AddVerbs>
}

/** Adds the verbs of a noun, or what the noun does if it has none. */
type AddVerbs = (noun: Command, performers: Performers) => void

const nouns: Record<string, Noun> = {
  tenant: {
    description: 'Tenants and their settings',
    load: async () => (await import('./commands/tenant.ts')).addTenantCommands,
  },
  member: {
    description: "Users with access to a tenant's console",
    load: async () => (await import('./commands/member.ts')).addMemberCommands,
  },
  key: {
    description: 'API keys',
    load: async () => (await import('./commands/key.ts')).addKeyCommands,
  },
  plan: {
    description: 'Limits shared by tenants',
    load: async () => (await import('./commands/plan.ts')).addPlanCommands,
  },
  verification: {
    description: 'Verifications: their history, and their erasure',
    load: async () => (await import('./commands/verification.ts')).addVerificationCommands,
  },
  delivery: {
    description: 'Deliveries of webhook events in the last 24 hours',
    load: async () => (await import('./commands/delivery.ts')).addDeliveryCommands,
  },
  token: {
    description: 'Age tokens',
    load: async () => (await import('./commands/token.ts')).addTokenCommands,
  },
  'signing-key': {
    description: 'Keys that sign age tokens',
    load: async () => (await import('./commands/signing-key.ts')).addSigningKeyCommands,
  },
  'encryption-key': {
    description: 'Keys that encrypt secrets at rest',
    load: async () => (await import('./commands/encryption-key.ts')).addEncryptionKeyCommands,
  },
  stats: {
    description: 'Show the numbers of tenants, verifications and deliveries',
    load: async () => (await import('./commands/stats.ts')).addStatsCommand,
  },
  audit: {
    description: 'Who changed what',
    load: async () => (await import('./commands/audit.ts')).addAuditCommands,
  },
  database: {
    description: 'The database schema',
    load: async () => (await import('./commands/database.ts')).addDatabaseCommands,
  },
  demo: {
    description: 'Demo data',
    load: async () => (await import('./commands/demo.ts')).addDemoCommands,
  },
  doctor: {
    description:
      'Check the configuration, PostgreSQL, Redis, the providers, BASE_URL and the disk; exit code 1 if one is at fault',
    load: async () => (await import('./commands/doctor.ts')).addDoctorCommand,
  },
}

const nounNames = Object.keys(nouns)

/**
 * The command line with the verbs of the noun that the arguments name, or of all nouns. Errors are thrown as
 * `CommanderError`; help and the version are written to `write`.
 */
export async function createProgram(
  performers: Performers,
  write: (text: string) => void,
  args?: readonly string[],
): Promise<Command> {
  const json = args?.includes('--json')
  const program = new Command('operator')
    .description('Administers the age verification service: its tenants, verifications, deliveries and keys.')
    .usage('NOUN VERB [options]')
    .helpOption('-h, --help', 'Show help')
    .helpCommand(false)
    .version(json ? JSON.stringify({ version }) : version, '--version', 'Show the version')
    .configureOutput({ writeOut: write, writeErr: () => {}, outputError: () => {} })
    .addHelpText('after', examples)
  throwUsageErrors(program)
  const named = args ? args.filter(arg => !arg.startsWith('-')).slice(0, 1) : nounNames
  for (const [name, { description, load }] of Object.entries(nouns)) {
    const noun = program.command(name).description(description)
    throwUsageErrors(noun)
    if (named.includes(name)) addVerbs(noun, await load(), performers)
  }
  return program.option('--json', jsonDescription)
}

function addVerbs(noun: Command, add: AddVerbs, performers: Performers): void {
  add(noun, performers)
  if (noun.commands.length > 0) noun.usage('VERB [options]').helpCommand(false)
  for (const command of noun.commands.length > 0 ? noun.commands : [noun]) {
    throwUsageErrors(command)
    command.option('--json', jsonDescription)
  }
}

const jsonDescription = 'Print one JSON value and nothing else'
