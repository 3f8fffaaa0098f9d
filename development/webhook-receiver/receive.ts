/** `npm run receive`: an https endpoint on this machine that shows webhook events and whether they are authentic. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
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
  const { tenant, readSecrets, ...options } = readReceiveOptions(process.argv.slice(2), env)
  let secrets = readSecrets()
  const folder = await createDataFolder(readConfig(env).dataFolder)
  const counts = new Map<string, number>()
  const { url, authorityFile, close } = await receiveEvents({
    ...options,
    folder,
    path: '/webhooks',
    secretsFor: () => (secrets.length > 0 ? secrets : undefined),
    // They may have been rotated: those of the file as it is now, and the tenant's new one before those that are known.
    async rereadSecrets() {
      if (!tenant) secrets = readSecrets()
      else secrets = [...new Set([await setWebhook(env, tenant, url), ...secrets])]
      return secrets
    },
    onEvent(event) {
      const { verificationId = '' } = readSummary(event.body) ?? {}
      const count = (counts.get(verificationId) ?? 0) + 1
      counts.set(verificationId, count)
      console.log(`\n${describeEvent(event, count)}`)
    },
    onError: ({ message }) => console.error(`\nA request could not be handled: ${printable(message)}`),
  })
  closing.defer(close)
  if (tenant) secrets = [await borrowTenantWebhook(env, tenant, url, closing), ...secrets]
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
  const { webhookUrl } = await operate<Webhook>(env, 'tenant', 'settings', '--tenant', tenant)
  const secret = await setWebhook(env, tenant, url)
  closing.defer(async () => {
    await setWebhook(env, tenant, webhookUrl)
  })
  return secret
}

/** Sets a tenant's webhook URL, to none by null. Returns the newest secret. */
async function setWebhook(env: NodeJS.ProcessEnv, tenant: string, url: string | null): Promise<string> {
  const args = ['--tenant', tenant, ...(url === null ? ['--clear'] : ['--url', url])]
  return (await operate<Webhook>(env, 'tenant', 'set-webhook', ...args)).webhookSecret
}

interface Webhook {
  webhookUrl: string | null
  webhookSecret: string
}

/** What the command line asks for. */
interface ReceiveOptions extends Pick<ReceiverOptions, 'port' | 'forwardTo' | 'status' | 'delayMs'> {
  /** Returns the webhook secrets that signatures are compared with, of a file as it is now. */
  readSecrets: () => string[]
  /** The tenant whose webhook URL is set to the receiver while it runs. */
  tenant?: string
}

/** Reads the arguments. Throws a `CommanderError` with exit code 0 after printing the help, and with 1 for a wrong one. */
function readReceiveOptions(args: readonly string[], env: NodeJS.ProcessEnv): ReceiveOptions {
  const command = new Command('npm run receive --')
    .description('Receive webhook events on this machine, and show whether their signatures are valid.')
    .option('--port <port>', 'port of the https endpoint', integer(0, 65_535), 8443)
    .option(
      '--secret <secret>',
      'a webhook secret; can be repeated (default: WEBHOOK_SECRETS, or WEBHOOK_SECRETS_FILE)',
      append,
    )
    .option('--tenant <id>', "set this tenant's webhook URL until the receiver stops, and use its secret")
    .option('--forward-to <url>', 'pass events on to your program, and respond as it does', httpUrl)
    .option('--status <code>', 'respond with this status to every event, such as 500', integer(200, 599))
    .option('--delay <seconds>', 'wait before each response; after 5 the service gives up', integer(0, 60), 0)
    .allowExcessArguments(false)
    .exitOverride()
    .parse(args, { from: 'user' })
  const { secret, delay, ...options } = command.opts<CommandOptions>()
  const readSecrets = () => secret ?? readVariable(env)?.split(',') ?? []
  return { ...options, readSecrets: () => checkSecrets(readSecrets(), command), delayMs: delay * 1000 }
}

type CommandOptions = Pick<ReceiveOptions, 'port' | 'forwardTo' | 'status' | 'tenant'> & {
  secret?: string[]
  delay: number
}

/** `WEBHOOK_SECRETS`, or the content of the file that `WEBHOOK_SECRETS_FILE` names. */
function readVariable({ WEBHOOK_SECRETS, WEBHOOK_SECRETS_FILE }: NodeJS.ProcessEnv): string | undefined {
  return WEBHOOK_SECRETS_FILE ? readFileSync(WEBHOOK_SECRETS_FILE, 'utf8') : WEBHOOK_SECRETS
}

/** Trims them. Anybody can sign with an empty key. */
function checkSecrets(texts: readonly string[], command: Command): string[] {
  const secrets = texts.map(text => text.trim())
  if (!secrets.every(text => /^[\w-]+$/.test(text)))
    command.error(
      'error: each --secret, and each part of WEBHOOK_SECRETS, must be a webhook secret, without quotes',
    )
  return secrets
}

function append(value: string, values: string[] = []): string[] {
  return [...values, value]
}
