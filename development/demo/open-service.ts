import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type Config, readConfig } from '#server/config.ts'
import { DemoAssertionError } from './demo-assertion-error.ts'
import type { Screen } from './screen.ts'
import { type StartOptions, startOwnService } from './start-own-service.ts'

/** What operator commands need. */
export interface OperatorContext {
  /** The environment of commands that are to reach the same service. */
  env: NodeJS.ProcessEnv
  commands: OperatorCommands
}

export interface DemoService extends OperatorContext {
  addresses: Addresses
  /** Whether the demo started it, and stops it at the end. */
  temporary: boolean
}

/** A command that outlived a temporary service would create its data folder again. */
export interface OperatorCommands {
  running: Set<Promise<unknown>>
  /** Set when the demo stops: no command starts from then on. */
  stopped: boolean
}

/** What every step of the demo needs. */
export interface DemoContext {
  service: DemoService
  screen: Screen
}

const addresses = z.object({
  baseUrl: z.url(),
  /** The identity provider's simulator. */
  veriffUrl: z.url(),
  /** Shows received webhook events. */
  eventsUrl: z.url(),
  /** Receives webhook events. */
  webhookUrl: z.url(),
})

type Addresses = z.infer<typeof addresses>

/**
 * Uses the service that runs at the configured address, or else starts a temporary one, which stops with `closing`.
 * Throws a `DemoAssertionError`, or a `ConfigError` for an invalid variable.
 */
export async function openService(
  env: NodeJS.ProcessEnv,
  screen: Screen,
  closing: AsyncDisposableStack,
): Promise<DemoService> {
  const config = readConfig(env)
  if (await isLive(config.baseUrl)) {
    screen.note(`Using the service that runs at ${config.baseUrl}, with a new tenant.`)
    const commands = { running: new Set<Promise<unknown>>(), stopped: false }
    return { addresses: await addressesOf(config), env, temporary: false, commands }
  }
  screen.note(`No service runs at ${config.baseUrl}: starting a temporary one.`)
  return await startTemporaryService({ env, onProgress: line => screen.note(line) }, closing)
}

/** Starts a service with all local parts, which stops with `closing`. Throws a `DemoAssertionError`. */
export async function startTemporaryService(
  options: Omit<StartOptions, 'isLive'>,
  closing: AsyncDisposableStack,
): Promise<DemoService> {
  const { folder, env } = await startOwnService({ ...options, isLive }, closing)
  const commands: OperatorCommands = { running: new Set(), stopped: false }
  closing.defer(async () => {
    commands.stopped = true
    await Promise.all(commands.running)
  })
  return { addresses: await readAddresses(folder), env, temporary: true, commands }
}

async function isLive(baseUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrl}/health/live`, { signal: AbortSignal.timeout(3_000) })
    const body: unknown = await response.json()
    return response.ok && z.object({ status: z.literal('ok') }).safeParse(body).success
  } catch {
    return false
  }
}

async function addressesOf({ baseUrl, dataFolder }: Config): Promise<Addresses> {
  const stored = await readAddresses(dataFolder)
  if (stored.baseUrl === baseUrl) return stored
  throw new DemoAssertionError(
    `DATA_DIR ${dataFolder} belongs to the service at ${stored.baseUrl}, not to ${baseUrl}.`,
  )
}

async function readAddresses(folder: string): Promise<Addresses> {
  const file = join(folder, 'addresses.json')
  try {
    return addresses.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    throw new DemoAssertionError(
      `${file} does not contain the addresses of all local parts, which the demo needs. Set DATA_DIR to the ` +
        'data folder of the running service, or set PORT to an unused one: the demo then starts a temporary service.',
    )
  }
}
