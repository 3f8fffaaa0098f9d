/** `npm run receive`: an https endpoint on this machine that shows webhook events and whether they are authentic. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { Command } from 'commander'
import { readConfig } from '#server/configuration/config.ts'
import { readEnvironment } from '#server/configuration/read-environment.ts'
import { printable } from '#server/logging/printable.ts'
import { createDataFolder } from '../data-folder.ts'
import { operate } from '../operate.ts'
import { httpUrl, integer } from '../option-values.ts'
import { runProgram } from '../run-program.ts'
import { describeEvent, readSummary } from './describe-event.ts'
import { type ReceiverOptions, receiveEvents } from './receive-events.ts'

await runProgram(async ({ closing, stopped }) => {
  const env = readEnvironment()
  const { tenant, secrets, ...options } = readReceiveOptions(process.argv.slice(2), env)
  const folder = await createDataFolder(readConfig(env).dataFolder)
  const counts = new Map<string, number>()
  const { url, authorityFile, close } = await receiveEvents({
    ...options,
    folder,
    path: '/webhooks',
    secretsFor: () => (secrets.length > 0 ? secrets : undefined),
    onEvent(event) {
      const { verificationId = '' } = readSummary(event.body) ?? {}
      const count = (counts.get(verificationId) ?? 0) + 1
      counts.set(verificationId, count)
      console.log(`\n${describeEvent(event, count)}`)
    },
    onError: ({ message }) => console.error(`\nA request could not be handled: ${printable(message)}`),
  })
  closing.defer(close)
  if (tenant) secrets.unshift(await borrowTenantWebhook(env, tenant, url, closing))
  console.log(styleText('bold', `Receiving webhook events at ${url}`), '(Ctrl-C to stop)')
  if (options.forwardTo) console.log(`Passing them on to ${options.forwardTo}.`)
  const verified = `events are verified with ${secrets.length === 1 ? '1 secret' : `${secrets.length} secrets`}`
  if (tenant) console.log(`It is the webhook URL of the tenant ${tenant} until you stop it; ${verified}.`)
  else {
    const id = (await readFile(join(folder, 'demo-tenant'), 'utf8').catch(() => 'TENANT_ID')).trim()
    console.log('Set it as the webhook URL, in the dashboard under Settings or with')
    console.log(`  npm run --silent operator -- tenant set-webhook --tenant ${id} --url ${url}`)
    if (secrets.length > 0) console.log(`Then complete a verification; ${verified}.`)
    else console.log('and start again with --secret and the webhook secret, to have signatures verified.')
  }
  const trusted = `A service on this machine with the same DATA_DIR trusts its certificate, ${authorityFile}.`
  console.log(styleText('dim', trusted))
  if (!stopped.aborted) await once(stopped, 'abort')
  return 0
})

/** Sets a tenant's webhook URL until `closing` is disposed of. Returns the secret that signs its events. */
async function borrowTenantWebhook(
  env: NodeJS.ProcessEnv,
  tenant: string,
  url: string,
  closing: AsyncDisposableStack,
): Promise<string> {
  type Webhook = { webhookUrl: string | null; webhookSecret: string }
  const set = ['tenant', 'set-webhook', '--tenant', tenant]
  const { webhookUrl } = await operate<Webhook>(env, 'tenant', 'settings', '--tenant', tenant)
  const { webhookSecret } = await operate<Webhook>(env, ...set, '--url', url)
  closing.defer(async () => {
    await operate(env, ...set, ...(webhookUrl === null ? ['--clear'] : ['--url', webhookUrl]))
  })
  return webhookSecret
}

/** What the command line asks for. */
interface ReceiveOptions extends Pick<ReceiverOptions, 'port' | 'forwardTo' | 'status' | 'delayMs'> {
  /** The webhook secrets that signatures are compared with. */
  secrets: string[]
  /** The tenant whose webhook URL is set to the receiver while it runs. */
  tenant?: string
}

/** Reads the arguments. Throws a `CommanderError` with exit code 0 after printing the help, and with 1 for a wrong one. */
function readReceiveOptions(args: readonly string[], env: NodeJS.ProcessEnv): ReceiveOptions {
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
