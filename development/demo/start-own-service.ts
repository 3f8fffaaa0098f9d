import { type ChildProcess, spawn } from 'node:child_process'
import { access, chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { environmentVariables } from '#server/config.ts'
import { freePort } from '#server/http/free-port.ts'
import { loopback } from '../embedded-context.ts'
import { DemoAssertionError } from './demo-assertion-error.ts'

export interface OwnService {
  /** Its data folder. */
  folder: string
  env: NodeJS.ProcessEnv
}

export interface StartOptions {
  env: NodeJS.ProcessEnv
  /** Variables of the service in addition to those that make everything local. */
  settings?: NodeJS.ProcessEnv
  /** Called with each line about the start's progress. */
  onProgress(line: string): void
  isLive(baseUrl: string): Promise<boolean>
}

const program = join(import.meta.dirname, '..', '..', 'server', 'main.ts')

/** On a slow machine the first start builds the dashboard and initializes a database. */
const startMsMax = 180_000
const stopMsMax = 12_000

/**
 * Starts the service with all local parts in a temporary data folder; both end with `closing`. Throws a
 * `DemoAssertionError` if it does not start within 3 minutes.
 */
export async function startOwnService(
  { env: inherited, settings, onProgress, isLive }: StartOptions,
  closing: AsyncDisposableStack,
): Promise<OwnService> {
  const parent = await mkdtemp(join(tmpdir(), 'age-verification-demo-'))
  closing.defer(() => rm(parent, { recursive: true, force: true }))
  // If this process runs as root, PostgreSQL runs as another user, which must be able to traverse the folder.
  await chmod(parent, 0o711)
  const folder = join(parent, 'data')
  const port = await freePort(loopback)
  const local = { PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'warn' }
  const env = { ...withoutSettings(inherited), ...local, ...settings }
  const begin = performance.now()
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  closing.defer(() => stop(child))
  const output = followOutput(child, onProgress)
  const baseUrl = `http://${loopback}:${port}`
  while (!((await isLive(baseUrl)) && (await exists(join(folder, 'addresses.json'))))) {
    if (hasExited(child)) {
      throw new DemoAssertionError(`The service did not start: ${output.slice(-12).join('\n')}`)
    }
    if (performance.now() - begin > startMsMax) {
      throw new DemoAssertionError('The service did not start within 3 minutes.')
    }
    await delay(100)
  }
  onProgress(`Started at ${baseUrl} in ${((performance.now() - begin) / 1000).toFixed(1)} s.`)
  return { folder, env }
}

/**
 * Everything is to be local, whatever the environment configures. An empty variable counts as unset; unlike a missing
 * one, it is not read from the file `.env`.
 */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = environmentVariables.flatMap(name => [name, `${name}_FILE`])
  return { ...env, ...Object.fromEntries(names.map(name => [name, ''])) }
}

/** Passes progress lines, which end with an ellipsis, to `onProgress`, and collects the others. */
function followOutput(child: ChildProcess, onProgress: (line: string) => void): string[] {
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    createInterface({ input: stream }).on('line', line => {
      if (line.endsWith('…')) onProgress(line)
      else output.push(line)
    })
  }
  return output
}

function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasExited(child)) return
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), stopMsMax)
  await exited
  clearTimeout(timer)
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  )
}
