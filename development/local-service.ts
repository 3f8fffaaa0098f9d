import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { VerificationCompletedEvent } from '#clients/typescript/src/index.ts'
import { readConfig } from '#server/configuration/config.ts'
import { freePort } from '#server/http/free-port.ts'
import * as service from '#server/start/start-service.ts'
import { loopback } from './embedded-context.ts'
import { type Environment, operate } from './operate.ts'
import { ProgramError } from './run-program.ts'
import type { ReceivedEvent } from './webhook-receiver/receive-events.ts'

const addresses = z.object({
  baseUrl: z.url(),
  /** Shows received webhook events. */
  eventsUrl: z.url(),
  /** Receives webhook events. */
  webhookUrl: z.url(),
})

export type Addresses = z.infer<typeof addresses>

/** A service on this machine with all local parts. */
export interface LocalService extends Addresses {
  dataFolder: string
  isTemporary: boolean
  /** Runs an operator command, and returns its JSON. Throws a `ProgramError` if it fails. */
  operate<Result>(...args: string[]): Promise<Result>
}

/** The configured service; undefined if it does not run. Throws a `ProgramError` if it does not use DATA_DIR. */
export async function findService(env: Environment): Promise<LocalService | undefined> {
  const { baseUrl, dataFolder } = readConfig(env)
  const signal = AbortSignal.timeout(3_000)
  const live = await fetch(`${baseUrl}/health/live`, { signal }).catch(() => undefined)
  if (!live?.ok) return undefined
  const found = await readAddresses(dataFolder).catch(() => undefined)
  if (found?.baseUrl === baseUrl) {
    return { ...found, dataFolder, isTemporary: false, operate: (...args) => operate(env, ...args) }
  }
  throw new ProgramError(
    `${join(dataFolder, 'addresses.json')} does not contain the addresses of ${baseUrl} and all local parts. Set ` +
      'DATA_DIR to the data folder of the running service, or PORT to an unused one: a temporary service is started then.',
  )
}

/**
 * Starts a service with all local parts in this process and a temporary folder; both end with `closing`. Everything is local,
 * whatever the environment configures, except for `settings`.
 */
export async function startService(
  closing: AsyncDisposableStack,
  onProgress: (line: string) => void,
  settings: Environment = {},
): Promise<LocalService> {
  const folder = await mkdtemp(join(tmpdir(), 'age-verification-'))
  closing.defer(() => rm(folder, { recursive: true, force: true }))
  // If this process runs as root, PostgreSQL runs as another user, which must be able to traverse the folder.
  await chmod(folder, 0o711)
  const dataFolder = join(folder, 'data')
  const port = String(await freePort(loopback))
  const env = { PORT: port, DATA_DIR: dataFolder, LOG_LEVEL: 'silent', ...settings }
  const begin = performance.now()
  // The other lines are for people who use the service: addresses, and a key.
  const print = (line: string) => line.endsWith('…') && onProgress(line)
  const starting = service.startService(readConfig(env), print)
  closing.defer(async () => (await starting.catch(() => undefined))?.close())
  await starting
  const found = await readAddresses(dataFolder)
  onProgress(`Started at ${found.baseUrl} in ${((performance.now() - begin) / 1000).toFixed(1)} s.`)
  return { ...found, dataFolder, isTemporary: true, operate: operateUntilClosed(env, closing) }
}

/** Runs no command after the end of the service: it would create the data folder again. */
function operateUntilClosed(env: Environment, closing: AsyncDisposableStack): LocalService['operate'] {
  let isClosed = false
  let last: Promise<unknown> | undefined
  closing.defer(async () => {
    isClosed = true
    await last?.catch(() => undefined)
  })
  return async <Result>(...args: string[]) => {
    if (isClosed) throw new ProgramError('The service has been stopped.')
    const result = operate<Result>(env, ...args)
    last = result
    return await result
  }
}

/** Throws if there are none, or not of all local parts. */
async function readAddresses(folder: string): Promise<Addresses> {
  return addresses.parse(JSON.parse(await readFile(join(folder, 'addresses.json'), 'utf8')))
}

type ShownEvent = Omit<ReceivedEvent, 'body'> & { body: VerificationCompletedEvent | null }

/** The webhook events that a local service's receiver has got, the newest first. */
export async function readReceivedEvents(eventsUrl: string): Promise<ShownEvent[]> {
  const response = await fetch(eventsUrl)
  return ((await response.json()) as { items: ShownEvent[] }).items
}
