import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { eventually } from '../eventually.ts'
import { isRunning, processesOf, sendSignal } from './process-tree.ts'

export const root = join(import.meta.dirname, '../../..')

/** Generous, because other work may load the machine. */
export const patienceMs = 60_000

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  out: string
  err: string
}

export interface ServiceProcess {
  pid: number
  baseUrl: string
  port: number
  /** The folder of the embedded parts. */
  dataFolder: string
  env: Record<string, string>
  /** Standard output so far. */
  out(): string
  /** Waits until standard output matches. Rejects if the process ends first. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** Waits until it serves. */
  up(): Promise<void>
  /** Resolves when the process has ended. */
  ended: Promise<Ended>
  isRunning(): boolean
  signal(signal: NodeJS.Signals): void
  /** Sends the signal to the whole process group, like Ctrl-C in a terminal. */
  signalGroup(signal: NodeJS.Signals): void
}

export interface Launch {
  /** `node server/main.ts` by default. */
  command?: string[]
  /** The working directory. */
  cwd: string
  port: number
  dataFolder: string
  env?: Record<string, string>
  account?: { uid: number; gid: number }
}

const isUp = /Press Ctrl-C to stop\.|"The service is up"/

/** Starts a service. Of this process's environment, it gets only the paths of programs and of the compile cache. */
export function launchService(launch: Launch): ServiceProcess {
  const { command = [process.execPath, join(root, 'server', 'main.ts')], cwd, port, dataFolder } = launch
  const [program = '', ...args] = command
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const env = {
    PATH,
    NODE_COMPILE_CACHE,
    HOME: cwd,
    PORT: String(port),
    DATA_DIR: dataFolder,
    ...launch.env,
  }
  const child = spawn(program, args, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...launch.account,
  })
  const texts = collect(child)
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...texts }))
  const says = (pattern: RegExp) => waitForText(child, texts, pattern)
  return {
    pid: child.pid!,
    baseUrl: `http://127.0.0.1:${port}`,
    port,
    dataFolder,
    env,
    ended,
    says,
    out: () => texts.out,
    isRunning: () => isRunning(child),
    up: async () => void (await says(isUp)),
    signal: signal => child.kill(signal),
    signalGroup: signal => process.kill(-child.pid!, signal),
  }
}

/** Kills all processes of a folder, like a power failure, and waits until none is left. */
export async function killAll(folder: string): Promise<void> {
  for (const pid of processesOf(folder)) sendSignal(pid, 'SIGKILL')
  await untilNone(folder)
}

/** Waits until no process of the folder is left. */
export async function untilNone(folder: string, withinMs = patienceMs): Promise<void> {
  await eventually(() => processesOf(folder), { until: left => left.length === 0, timeoutMs: withinMs })
}

function collect(child: ChildProcess): { out: string; err: string } {
  const texts = { out: '', err: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    texts.out += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    texts.err += text
  })
  return texts
}

async function waitForText(
  child: ChildProcess,
  texts: { out: string; err: string },
  pattern: RegExp,
): Promise<RegExpExecArray> {
  const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>()
  const output = () => `\n${texts.out.slice(-2_000)}\n${texts.err.slice(-2_000)}`
  const look = () => {
    const found = pattern.exec(texts.out)
    if (found) resolve(found)
  }
  const end = () => reject(new Error(`It ended before it printed ${pattern}:${output()}`))
  const late = setTimeout(() => reject(new Error(`It did not print ${pattern}:${output()}`)), patienceMs)
  child.stdout?.on('data', look)
  child.once('close', end)
  look()
  try {
    return await promise
  } finally {
    clearTimeout(late)
    child.stdout?.off('data', look)
    child.off('close', end)
  }
}
