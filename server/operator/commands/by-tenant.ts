import type { Command } from 'commander'

/** A command about one tenant. */
export function byTenant(command: Command): Command {
  return command.requiredOption('--tenant <id>', 'id of the tenant')
}
