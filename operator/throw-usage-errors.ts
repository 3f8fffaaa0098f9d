import { type Command, CommanderError } from 'commander'

/** Has the command throw its errors. Those for an unknown command or option name the help that lists the known ones. */
export function throwUsageErrors(command: Command): void {
  command.exitOverride(error => {
    const listed = listedInHelp[error.code]
    if (listed === undefined) throw error
    const message = `${error.message}; \`${pathOf(command)} --help\` lists the ${listed}`
    throw new CommanderError(error.exitCode, error.code, message)
  })
}

const listedInHelp: Record<string, string> = {
  'commander.unknownCommand': 'commands',
  'commander.unknownOption': 'options',
}

/** As on the command line: `operator tenant list`. */
function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}
