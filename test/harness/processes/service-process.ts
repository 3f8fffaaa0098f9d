import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../eventually.ts'
import { isRunning, killOnExit, processesOf, sendSignal } from './process-tree.ts'

export const root = join(import.meta.dirname, '../../..')

/** Generous, because other work may load the machine. */
export const patienceMs = 60_000

interface Output {
  out: string
  err: string
  /** Whether nothing more can come. */
  isComplete: boolean
}

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
  /** Stops reading its standard output, or reads on. */
  holdOutput(): void
  releaseOutput(): void
  /** Waits until it serves. */
  up(): Promise<void>
  /** Whether it and its dependencies are up. */
  isReady(): Promise<boolean>
  /** Resolves when the process has ended. */
  ended: Promise<Ended>
  isRunning(): boolean
  signal(signal: NodeJS.Signals): void
  /** Sends the signal to the whole process group, like Ctrl-C in a terminal. */
  signalGroup(signal: NodeJS.Signals): void
  /** Sends a message to the preloaded module. */
  send(message: object): void
}

export interface Launch {
  /** `node server/main.ts` by default. */
  command?: string[]
  /** The folder of another release of the program. */
  program?: string
  /** The working directory. */
  cwd: string
  port: number
  dataFolder: string
  env?: Record<string, string>
  account?: { uid: number; gid: number }
  /** A module that is loaded before the service, and gets messages. */
  preload?: string
  /** The file that output is appended to, in place of being kept in memory. */
  logFile?: string
}

const isUp = /Press Ctrl-C to stop\.|"The service is up"/

/** Starts a service. Of this process's environment, it gets only the paths of programs and of the compile cache. */
export function launchService(launch: Launch): ServiceProcess {
  const { cwd, port, dataFolder, preload, program: folder = root } = launch
  const flags = preload === undefined ? [] : ['--import', preload]
  const serve = [process.execPath, ...flags, join(folder, 'server', 'main.ts')]
  const [program = '', ...args] = launch.command ?? serve
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const variables = { HOME: cwd, PORT: String(port), DATA_DIR: dataFolder }
  const env = { PATH, NODE_COMPILE_CACHE, ...variables, ...launch.env }
  const log = launch.logFile === undefined ? 'pipe' : openSync(launch.logFile, 'a')
  const stdio: StdioOptions = preload === undefined ? ['ignore', log, log] : ['ignore', log, log, 'ipc']
  const child = spawn(program, args, { cwd, env, detached: true, stdio, ...launch.account })
  if (typeof log === 'number') closeSync(log)
  killOnExit(child)
  const output = collect(child)
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...output }))
  const { logFile } = launch
  const out = () => (logFile === undefined ? output.out : readFileSync(logFile, 'utf8'))
  const says = (pattern: RegExp) => waitForText(() => ({ ...output, out: out() }), pattern)
  return {
    pid: child.pid!,
    baseUrl: `http://127.0.0.1:${port}`,
    port,
    dataFolder,
    env,
    ended,
    says,
    out,
    holdOutput: () => void child.stdout?.pause(),
    releaseOutput: () => void child.stdout?.resume(),
    isRunning: () => isRunning(child),
    up: async () => void (await says(isUp)),
    isReady: () => isReady(`http://127.0.0.1:${port}`),
    signal: signal => child.kill(signal),
    signalGroup: signal => process.kill(-child.pid!, signal),
    send: message => void (child.connected && child.send(message, () => undefined)),
  }
}

async function isReady(baseUrl: string): Promise<boolean> {
  const signal = AbortSignal.timeout(3_000)
  const response = await fetch(`${baseUrl}/health/ready`, { signal }).catch(() => undefined)
  await response?.body?.cancel()
  return response?.status === 200
}

/** Why a start has failed: what the service has logged with the level `fatal`. */
export function fatalMessages(out: string): string[] {
  const lines = out.split('\n').filter(line => line.startsWith('{"level":"fatal"'))
  return lines.map(line => JSON.parse(line).msg)
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

function collect(child: ChildProcess): Output {
  const output = { out: '', err: '', isComplete: false }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output.out += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.err += text
  })
  child.once('close', () => {
    output.isComplete = true
  })
  return output
}

async function waitForText(read: () => Output, pattern: RegExp): Promise<RegExpExecArray> {
  const find = () => pattern.exec(read().out)
  const until = (found: RegExpExecArray | null) => found !== null || read().isComplete
  const found = await eventually(find, { until, timeoutMs: patienceMs }).catch(() => null)
  if (found) return found
  const { out, err, isComplete } = read()
  const texts = `${out.slice(-2_000)}\n${err.slice(-2_000)}`
  throw new Error(`It ${isComplete ? 'ended before it printed' : 'did not print'} ${pattern}:\n${texts}`)
}
