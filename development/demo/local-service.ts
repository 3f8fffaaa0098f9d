import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { type Config, environmentVariables } from '#server/config.ts'
import { freePort } from '#server/http/free-port.ts'
import { loopback } from '../embedded-context.ts'
import type { OperatorContext } from './run-operator.ts'
import { ProgramError } from './run-program.ts'

const addresses = z.object({
  baseUrl: z.url(),
  /** The identity provider's simulator. */
  veriffUrl: z.url(),
  /** Shows received webhook events. */
  eventsUrl: z.url(),
  /** Receives webhook events. */
  webhookUrl: z.url(),
})

/** A service on this machine with all local parts. */
export interface LocalService extends OperatorContext, z.infer<typeof addresses> {
  dataFolder: string
}

/** The configured service; undefined if it does not run. Throws a `ProgramError` if it does not use DATA_DIR. */
export async function findService(
  { baseUrl, dataFolder }: Config,
  env: NodeJS.ProcessEnv,
): Promise<LocalService | undefined> {
  if (!(await isLive(baseUrl))) return undefined
  const found = await readAddresses(dataFolder)
  if (!found) {
    throw new ProgramError(
      `${join(dataFolder, 'addresses.json')} does not contain the addresses of all local parts. Set DATA_DIR to the ` +
        'data folder of the running service, or PORT to an unused one: a temporary service is started then.',
    )
  }
  if (found.baseUrl === baseUrl) return { ...found, env, dataFolder }
  throw new ProgramError(
    `DATA_DIR ${dataFolder} belongs to the service at ${found.baseUrl}, not to ${baseUrl}.`,
  )
}

/** On a slow machine the first start builds the dashboard and initializes a database. */
const startMsMax = 180_000
const stopMsMax = 12_000

const program = join(import.meta.dirname, '..', '..', 'server', 'main.ts')

/**
 * Starts a service with all local parts in a temporary folder; both end with `closing`. Everything is local, whatever the
 * environment configures, except for `settings`. Throws a `ProgramError` if it does not start within 3 minutes.
 */
export async function startService(
  closing: AsyncDisposableStack,
  onProgress: (line: string) => void,
  settings: NodeJS.ProcessEnv = {},
): Promise<LocalService> {
  const folder = await mkdtemp(join(tmpdir(), 'age-verification-'))
  closing.defer(() => rm(folder, { recursive: true, force: true }))
  // If this process runs as root, PostgreSQL runs as another user, which must be able to traverse the folder.
  await chmod(folder, 0o711)
  const [port, dataFolder] = [await freePort(loopback), join(folder, 'data')]
  const local = { PORT: String(port), DATA_DIR: dataFolder, LOG_LEVEL: 'warn' }
  // An empty variable counts as unset; unlike a missing one, it is not read from the file `.env`.
  const unset = environmentVariables.flatMap(name => [name, `${name}_FILE`]).map(name => [name, ''])
  const env = { ...process.env, ...Object.fromEntries(unset), ...local, ...settings }
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'exit')
  closing.defer(async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), stopMsMax)
    await exited
    clearTimeout(timer)
  })
  const output: string[] = []
  for (const input of [child.stdout, child.stderr]) {
    // Lines about progress end with an ellipsis.
    createInterface({ input }).on('line', line => (line.endsWith('…') ? onProgress(line) : output.push(line)))
  }
  const begin = performance.now()
  const isOver = () =>
    child.exitCode !== null || child.signalCode !== null || performance.now() - begin > startMsMax
  const baseUrl = `http://${loopback}:${port}`
  for (;;) {
    const found = (await isLive(baseUrl)) && (await readAddresses(dataFolder))
    if (found) {
      onProgress(`Started at ${baseUrl} in ${((performance.now() - begin) / 1000).toFixed(1)} s.`)
      const commands = new AbortController()
      closing.defer(() => commands.abort())
      return { ...found, env, dataFolder, signal: commands.signal }
    }
    if (isOver()) throw new ProgramError(`The service did not start: ${output.slice(-12).join('\n')}`)
    await delay(100)
  }
}

async function isLive(baseUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrl}/health/live`, { signal: AbortSignal.timeout(3_000) })
    return response.ok && z.object({ status: z.literal('ok') }).safeParse(await response.json()).success
  } catch {
    return false
  }
}

/** Undefined if there are none, or not of all local parts. */
async function readAddresses(folder: string): Promise<z.infer<typeof addresses> | undefined> {
  try {
    return addresses.parse(JSON.parse(await readFile(join(folder, 'addresses.json'), 'utf8')))
  } catch {
    return undefined
  }
}
