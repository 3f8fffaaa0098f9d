import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
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
  const signal = AbortSignal.timeout(3_000)
  const live = await fetch(`${baseUrl}/health/live`, { signal }).catch(() => undefined)
  if (!live?.ok) return undefined
  const found = await readAddresses(dataFolder).catch(() => undefined)
  if (found?.baseUrl === baseUrl) return { ...found, env, dataFolder }
  throw new ProgramError(
    `${join(dataFolder, 'addresses.json')} does not contain the addresses of ${baseUrl} and all local parts. Set ` +
      'DATA_DIR to the data folder of the running service, or PORT to an unused one: a temporary service is started then.',
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
  const dataFolder = join(folder, 'data')
  const local = { PORT: String(await freePort(loopback)), DATA_DIR: dataFolder, LOG_LEVEL: 'warn' }
  // An empty variable counts as unset; unlike a missing one, it is not read from the file `.env`.
  const unset = environmentVariables.flatMap(name => [name, `${name}_FILE`]).map(name => [name, ''])
  const env = { ...process.env, ...Object.fromEntries(unset), ...local, ...settings }
  const begin = performance.now()
  await startProcess(env, closing, onProgress)
  const found = await readAddresses(dataFolder)
  onProgress(`Started at ${found.baseUrl} in ${((performance.now() - begin) / 1000).toFixed(1)} s.`)
  const commands = new AbortController()
  closing.defer(() => commands.abort())
  return { ...found, env, dataFolder, signal: commands.signal }
}

/** Resolves when the service serves. */
async function startProcess(
  env: NodeJS.ProcessEnv,
  closing: AsyncDisposableStack,
  onProgress: (line: string) => void,
): Promise<void> {
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'exit')
  closing.defer(async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), stopMsMax)
    await exited
    clearTimeout(timer)
  })
  const output: string[] = []
  const started = new Promise<boolean>(resolve => {
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on('line', line => {
        output.push(line)
        // Lines about progress end with an ellipsis.
        if (line.endsWith('…')) onProgress(line)
        if (line.includes('Press Ctrl-C to stop.')) resolve(true)
      })
    }
    child.once('close', () => resolve(false))
    setTimeout(() => resolve(false), startMsMax).unref()
  })
  if (!(await started)) throw new ProgramError(`The service did not start: ${output.slice(-12).join('\n')}`)
}

/** Throws if there are none, or not of all local parts. */
async function readAddresses(folder: string): Promise<z.infer<typeof addresses>> {
  return addresses.parse(JSON.parse(await readFile(join(folder, 'addresses.json'), 'utf8')))
}
