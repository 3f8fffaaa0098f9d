import { Command } from 'commander'
import { httpUrl, integer } from '../option-values.ts'
import type { ReceiverOptions } from './receive-events.ts'

/** What the command line asks for. */
export interface ReceiveOptions extends Pick<ReceiverOptions, 'port' | 'forwardTo' | 'status' | 'delayMs'> {
  /** The webhook secrets that signatures are compared with. */
  secrets: string[]
  /** The tenant whose webhook URL is set to the receiver while it runs. */
  tenant?: string
}

/** Reads the arguments. Throws a `CommanderError` with exit code 0 after printing the help, and with 1 for a wrong one. */
export function readReceiveOptions(args: readonly string[], env: NodeJS.ProcessEnv): ReceiveOptions {
  const command = new Command('npm run receive --')
    .description('Receive webhook events on this machine, and show whether their signatures are valid.')
    .option('--port <port>', 'port of the https endpoint', integer(0, 65_535), 8443)
    .option('--secret <secret>', 'a webhook secret; can be repeated (default: WEBHOOK_SECRETS)', append)
    .option('--tenant <id>', "set this tenant's webhook URL until the receiver stops, and use its secret")
    .option('--forward-to <url>', 'pass events on to your program, and respond as it does', httpUrl)
    .option('--status <code>', 'respond with this status to every event, such as 500', integer(200, 599))
    .option('--delay <seconds>', 'wait before each response; after 5 the service gives up', integer(0, 60), 0)
    .allowExcessArguments(false)
    .exitOverride()
    .parse(args, { from: 'user' })
  const { secret = env.WEBHOOK_SECRETS?.split(',') ?? [], delay, ...options } = command.opts()
  const secrets = (secret as string[]).map(text => text.trim())
  // Anybody can sign with an empty key.
  if (!secrets.every(text => /^[\w-]+$/.test(text)))
    command.error(
      'error: each --secret, and each part of WEBHOOK_SECRETS, must be a webhook secret, without quotes',
    )
  return { ...options, secrets, delayMs: delay * 1000 } as ReceiveOptions
}

function append(value: string, values: string[] = []): string[] {
  return [...values, value]
}
