import { Command } from 'commander'
import { httpUrl } from '../receive/options.ts'

export interface SandboxOptions {
  /** The program and its arguments. */
  command: string[]
  /** The program that webhook events are passed on to. */
  forwardTo: string | undefined
}

const variables = `
The command gets these environment variables:
  SERVICE_URL      the address of the service
  API_KEY          an API key of its tenant, with all scopes
  TENANT_ID        the tenant
  WEBHOOK_SECRETS  the webhook secret of the tenant
  SIMULATOR_URL    the simulator of the identity provider; its /control API decides verifications
  EVENTS_URL       the webhook events that were received, as JSON; without --forward-to only`

/** Reads the arguments. Throws a `CommanderError` with exit code 0 after printing the help, and with 1 for a wrong one. */
export function readSandboxOptions(args: readonly string[]): SandboxOptions {
  const program = new Command('npm run sandbox --')
    .description('Start a temporary service, run a command such as your tests, and stop the service.')
    .argument('<command...>', 'the command and its arguments')
    .option(
      '--forward-to <url>',
      'pass webhook events on to this address, such as http://127.0.0.1:8080',
      httpUrl,
    )
    .passThroughOptions()
    .addHelpText('after', variables)
    .exitOverride()
    .parse(args, { from: 'user' })
  return { command: program.args, forwardTo: program.opts<{ forwardTo?: string }>().forwardTo }
}
