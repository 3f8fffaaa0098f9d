import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../http/listen.ts'
import { StartError } from '../../start-error.ts'
import { loopback } from '../loopback.ts'
import type { Account } from './account.ts'
import { serverSettings } from './server-settings.ts'

export interface ServerOptions {
  program: string
  account: Account
  cluster: string
  /** 0 takes a free one. */
  port: number
  durable: boolean
  onLog: (line: string) => void
  /** Called when the server ends without having been asked to. */
  onDeath: (error: Error) => void
}

export interface RunningServer {
  port: number
  /** Ends the sessions, writes everything down and stops; answers when no process is left. */
  stop(): Promise<void>
}

/** How long an orderly stop may take before the server is ended at once, and recovers at its next start. */
const STOP_MILLISECONDS = 4_000
/** How long to try again where the obstacle goes away by itself. */
const PATIENCE_MILLISECONDS = 10_000

/** Starts the server and answers when it takes connections. Throws a `StartError` with its own words. */
export async function runServer(options: ServerOptions): Promise<RunningServer> {
  const deadline = performance.now() + PATIENCE_MILLISECONDS
  for (;;) {
    try {
      return await tryToRun(options, options.port || (await freePort(loopback)))
    } catch (error) {
      if (performance.now() > deadline || !goesAway(error as Error, options)) throw error
      await wait(100)
    }
  }
}

/**
 * The sessions of a server that was killed live on for a moment, and keep its shared memory;
 * a free port may be taken by somebody else before the server has it.
 */
function goesAway({ message }: Error, { port }: ServerOptions): boolean {
  return (
    message.includes('pre-existing shared memory block') || (port === 0 && message.includes('could not bind'))
  )
}

async function tryToRun(options: ServerOptions, port: number): Promise<RunningServer> {
  const child = spawnServer(options, port)
  const gone = new Promise<void>(resolve => child.once('close', () => resolve()))
  // An exit that skips the orderly stop (an uncaught error, say) must not leave the server behind.
  const endWithProcess = () => child.kill('SIGINT')
  process.once('exit', endWithProcess)
  void gone.then(() => process.off('exit', endWithProcess))
  await untilReady(child, options.onLog)
  let stopping = false
  void gone.then(() => stopping || options.onDeath(new Error('The embedded PostgreSQL has ended by itself.')))
  return {
    port,
    async stop() {
      stopping = true
      await stopOrderly(child, gone)
    },
  }
}

async function stopOrderly(child: ChildProcess, gone: Promise<void>): Promise<void> {
  child.kill('SIGINT')
  const late = setTimeout(() => child.kill('SIGQUIT'), STOP_MILLISECONDS)
  await gone
  clearTimeout(late)
}

/** In a session of its own: Ctrl-C in the terminal must reach the service only, which decides when to stop it. */
function spawnServer({ program, account, cluster, durable }: ServerOptions, port: number): ChildProcess {
  const flags = Object.entries(serverSettings(port, durable)).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  return spawn(program, ['-D', cluster, ...flags], {
    ...account,
    cwd: '/',
    env: { LC_ALL: 'C' },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

async function untilReady(child: ChildProcess, onLog: (line: string) => void): Promise<void> {
  const startLines: string[] = []
  let ready = false
  const output = createInterface({ input: child.stderr! })
  await new Promise<void>((resolve, reject) => {
    child.once('error', error => reject(new StartError(`PostgreSQL cannot be run: ${error.message}`)))
    child.once('close', () => reject(new StartError(`PostgreSQL did not start: ${sayWhy(startLines)}`)))
    output.on('line', line => {
      onLog(line)
      if (!ready) startLines.push(line)
      ready ||= line.includes('database system is ready to accept connections')
      if (ready) resolve()
    })
  })
}

/** The reasons are in the lines that are not mere progress. */
function sayWhy(lines: string[]): string {
  const reasons = lines.filter(line => /\b(FATAL|PANIC|ERROR|WARNING|HINT|could not)\b/.test(line))
  return (
    (reasons.length > 0 ? reasons : lines).map(line => line.replace(/^.*?\[\d+\] /, '')).join(' ') ||
    'no reason given'
  )
}
