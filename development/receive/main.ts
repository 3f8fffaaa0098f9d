/** `npm run receive`: an https endpoint on this machine that shows webhook events and whether they are authentic. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommanderError } from 'commander'
import { readConfig } from '#server/config.ts'
import { printable } from '#server/printable.ts'
import { readEnvironment } from '#server/read-environment.ts'
import { describeStartError } from '#server/start-error.ts'
import { createDataFolder } from '../data-folder.ts'
import { DemoAssertionError } from '../demo/demo-assertion-error.ts'
import { loadOrCreateCertificate } from '../webhook-receiver/certificate.ts'
import { describeEvent, verificationOf } from './describe-event.ts'
import { describeStart } from './describe-start.ts'
import { type HandledEvent, startEventServer } from './event-server.ts'
import { type ReceiveOptions, readReceiveOptions } from './options.ts'
import { borrowTenantWebhook } from './tenant-webhook.ts'

const closing = new AsyncDisposableStack()
let stopping = false

async function stopWith(exitCode: number): Promise<void> {
  // Ctrl-C reaches the process twice if npm forwards it.
  if (stopping) return
  stopping = true
  try {
    await closing.disposeAsync()
  } catch (error) {
    console.error(describe(error))
    process.exit(1)
  }
  process.exit(exitCode)
}
process.on('SIGINT', () => stopWith(0))
process.on('SIGTERM', () => stopWith(0))

try {
  const env = readEnvironment()
  await receive(readReceiveOptions(process.argv.slice(2), env), env)
} catch (error) {
  // Commander has printed its own errors.
  if (!(error instanceof CommanderError)) console.error(describe(error))
  await stopWith(error instanceof CommanderError ? error.exitCode : 1)
}

async function receive(options: ReceiveOptions, env: NodeJS.ProcessEnv): Promise<void> {
  const folder = await createDataFolder(readConfig(env).dataFolder)
  const certificate = await loadOrCreateCertificate(folder, new Date())
  const secrets = [...options.secrets]
  const counts = new Map<string, number>()
  const onEvent = (event: HandledEvent) => {
    const verification = verificationOf(event) ?? ''
    const count = (counts.get(verification) ?? 0) + 1
    counts.set(verification, count)
    console.log(`\n${describeEvent(event, secrets.length, count)}`)
  }
  const onError = ({ message }: Error) =>
    console.error(`\nA request could not be handled: ${printable(message)}`)
  const server = await startEventServer({ ...options, certificate, secrets: () => secrets, onEvent, onError })
  closing.defer(() => server.close())
  if (options.tenantId) {
    const context = { env, commands: { running: new Set<Promise<unknown>>(), stopped: false } }
    secrets.unshift(await borrowTenantWebhook(context, options.tenantId, server.webhookUrl, closing))
  }
  const { authorityFile } = certificate
  console.log(
    describeStart({ ...options, ...server, secrets, authorityFile, demoTenant: await demoTenantOf(folder) }),
  )
}

/** The id of the local service's demo tenant, if it has one. */
async function demoTenantOf(folder: string): Promise<string | undefined> {
  const id = await readFile(join(folder, 'demo-tenant'), 'utf8').catch(() => undefined)
  return id?.trim()
}

function describe(error: unknown): string {
  return error instanceof DemoAssertionError ? error.message : describeStartError(error)
}
