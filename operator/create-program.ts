import { Command, CommanderError } from 'commander'
import { build } from '#server/configuration/version.ts'
import type { Performers } from './perform.ts'

const examples = `
Examples:
  npm run --silent operator -- tenant create --name "Corner Shop"
  npm run --silent operator -- key create --tenant ID --scopes tokens:validate
  npm run --silent operator -- plan set --name large --monthly-quota 100000 --hard-limit 200000
  npm run --silent operator -- verification show --verification ID
  npm run --silent operator -- tenant list --json

Commands can run while the service is running; changes take effect immediately. They read the same environment
variables as the service. The exit code is 0, or 1 with a one-line error on standard error.`

/** What each noun is. Its module in `commands` is loaded only if it is used: each loads a part of the domain. */
const nouns: Record<string, string> = {
  tenant: 'Tenants and their settings',
  member: "Users with access to a tenant's console",
  key: 'API keys',
  plan: 'Limits shared by tenants',
  verification: 'Verifications: their history, and their erasure',
  delivery: 'Deliveries of webhook events in the last 24 hours',
  token: 'Age tokens',
  'signing-key': 'Keys that sign age tokens',
  'encryption-key': 'Keys that encrypt secrets at rest',
  audit: 'Who changed what',
  database: 'The database schema',
  demo: 'Demo data',
  doctor:
    'Check the configuration, PostgreSQL, the workers, Redis, the providers and BASE_URL; exit code 1 if one is at fault',
}

interface CommandModule {
  /** Adds the verbs of a noun, or what the noun does if it has none. */
  addCommands(noun: Command, performers: Performers): void
}

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
    .version(
      json ? JSON.stringify(build) : `${build.version} (${build.commit})`,
      '--version',
      'Show the version',
    )
    .configureOutput({ writeOut: write, writeErr: () => {}, outputError: () => {} })
    .addHelpText('after', examples)
  throwUsageErrors(program)
  const named = args ? args.filter(arg => !arg.startsWith('-')).slice(0, 1) : Object.keys(nouns)
  for (const [name, description] of Object.entries(nouns)) {
    const noun = program.command(name).description(description)
    throwUsageErrors(noun)
    if (named.includes(name)) await addVerbs(noun, performers)
  }
  return program.option('--json', jsonDescription)
}

async function addVerbs(noun: Command, performers: Performers): Promise<void> {
  const module: CommandModule = await import(`./commands/${noun.name()}.ts`)
  module.addCommands(noun, performers)
  if (noun.commands.length > 0) noun.usage('VERB [options]').helpCommand(false)
  for (const command of noun.commands.length > 0 ? noun.commands : [noun]) {
    throwUsageErrors(command)
    command.option('--json', jsonDescription)
  }
}

const jsonDescription = 'Print one JSON value and nothing else'

/** Has the command throw its errors. Those for an unknown command or option name the help that lists the known ones. */
function throwUsageErrors(command: Command): void {
  command.exitOverride(error => {
    const listed = listedInHelp[error.code]
    if (listed === undefined) throw error
    const message = `${error.message}; \`${describePath(command)} --help\` lists the ${listed}`
    throw new CommanderError(error.exitCode, error.code, message)
  })
}

const listedInHelp: Record<string, string> = {
  'commander.unknownCommand': 'commands',
  'commander.unknownOption': 'options',
}

/** As on the command line: `operator tenant list`. */
function describePath(command: Command): string {
  return command.parent ? `${describePath(command.parent)} ${command.name()}` : command.name()
}
