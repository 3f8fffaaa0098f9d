import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type Config, readConfig } from '../../config.ts'
import { DemoAssertionError } from './demo-assertion-error.ts'
import type { Screen } from './screen.ts'
import { startOwnService } from './start-own-service.ts'

export interface DemoService {
  addresses: Addresses
  /** The environment of commands that are to reach the same service. */
  env: NodeJS.ProcessEnv
  /** Whether it is there for the demo only, and gone afterwards. */
  ownOne: boolean
}

const addresses = z.object({
  baseUrl: z.url(),
  /** The identity provider's stand-in. */
  veriffUrl: z.url(),
  /** Where received events can be looked at. */
  eventsUrl: z.url(),
  /** Where events can be sent. */
  webhookUrl: z.url(),
})

export type Addresses = z.infer<typeof addresses>

/**
 * The service that runs at the configured address, or else one of its own, which ends with `closing`. Throws a
 * `DemoAssertionError`, or a `ConfigError` for a wrong setting.
 */
export async function openService(
  env: NodeJS.ProcessEnv,
  screen: Screen,
  closing: AsyncDisposableStack,
): Promise<DemoService> {
  const config = readConfig(env)
  if (await isAlive(config.baseUrl)) {
    screen.note(`The service at ${config.baseUrl} is running: the demo uses it, with a tenant of its own.`)
    return { addresses: await addressesOf(config), env, ownOne: false }
  }
  screen.note(`No service runs at ${config.baseUrl}: the demo starts one for itself.`)
  const own = await startOwnService({ env, tell: line => screen.note(line), isAlive }, closing)
  return { addresses: await readAddresses(own.folder), env: own.env, ownOne: true }
}

async function isAlive(baseUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrl}/health/live`, { signal: AbortSignal.timeout(3_000) })
    const answer: unknown = await response.json()
    return response.ok && z.object({ status: z.literal('ok') }).safeParse(answer).success
  } catch {
    return false
  }
}

async function addressesOf({ baseUrl, dataFolder }: Config): Promise<Addresses> {
  const read = await readAddresses(dataFolder)
  if (read.baseUrl === baseUrl) return read
  throw new DemoAssertionError(
    `DATA_DIR ${dataFolder} belongs to the service at ${read.baseUrl}, not to ${baseUrl}.`,
  )
}

async function readAddresses(folder: string): Promise<Addresses> {
  const file = join(folder, 'addresses.json')
  try {
    return addresses.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    throw new DemoAssertionError(
      `${file} does not name all local parts, which the demo needs. Set DATA_DIR to the running service's ` +
        'data folder, or set PORT to one where nothing runs, and the demo starts a service for itself.',
    )
  }
}
