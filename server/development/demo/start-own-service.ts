import { type ChildProcess, spawn } from 'node:child_process'
import { access, chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { environmentVariables } from '../../config.ts'
import { freePort } from '../../http/listen.ts'
import { loopback } from '../loopback.ts'
import { DemoAssertionError } from './demo-assertion-error.ts'

export interface OwnService {
  /** Its data folder. */
  folder: string
  env: NodeJS.ProcessEnv
}

interface Start {
  env: NodeJS.ProcessEnv
  tell(line: string): void
  isAlive(baseUrl: string): Promise<boolean>
}

const program = join(import.meta.dirname, '..', '..', 'main.ts')

/** On a slow machine the first start builds the dashboard and makes a database. */
const startMsMax = 180_000
const endMsMax = 12_000

/** Starts the service with all its local parts, in a folder that is gone afterwards. */
export async function startOwnService(start: Start, closing: AsyncDisposableStack): Promise<OwnService> {
  const parent = await mkdtemp(join(tmpdir(), 'age-verification-demo-'))
  closing.defer(() => rm(parent, { recursive: true, force: true }))
  // An administrator's PostgreSQL runs as another user, who has to get through.
  await chmod(parent, 0o711)
  const folder = join(parent, 'data')
  const env = {
    ...withoutSettings(start.env),
    PORT: String(await freePort(loopback)),
    DATA_DIR: folder,
    LOG_LEVEL: 'warn',
  }
  const begun = performance.now()
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  closing.defer(() => end(child))
  const said = follow(child, start.tell)
  const baseUrl = `http://${loopback}:${env.PORT}`
  while (!((await start.isAlive(baseUrl)) && (await exists(join(folder, 'addresses.json'))))) {
    if (hasEnded(child))
      throw new DemoAssertionError(`The service did not start: ${said.slice(-12).join('\n')}`)
    if (performance.now() - begun > startMsMax)
      throw new DemoAssertionError('The service did not start within 3 minutes.')
    await delay(100)
  }
  start.tell(`It is up at ${baseUrl} after ${((performance.now() - begun) / 1000).toFixed(1)} s.`)
  return { folder, env }
}

/**
 * Everything is to be local, whatever the environment names for the real service. An empty variable counts as
 * unset, and unlike a missing one it is not filled from the file `.env`.
 */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = environmentVariables.flatMap(name => [name, `${name}_FILE`])
  return { ...env, ...Object.fromEntries(names.map(name => [name, ''])) }
}

/** Passes its progress on, the lines that end with dots, and collects what else it says. */
function follow(child: ChildProcess, tell: (line: string) => void): string[] {
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    createInterface({ input: stream }).on('line', line => {
      if (line.endsWith('…')) tell(line)
      else said.push(line)
    })
  }
  return said
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), endMsMax)
  await ended
  clearTimeout(timer)
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  )
}
