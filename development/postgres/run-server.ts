import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { StartError } from '#server/configuration/start-error.ts'
import { freePort } from '#server/http/free-port.ts'
import { loopback } from '../embedded-context.ts'
import type { Account } from './account.ts'

export interface ServerOptions {
  program: string
  account: Account
  cluster: string
  /** 0 picks a free port. */
  port: number
  durable: boolean
  onLog: (line: string) => void
  /** Called when the server exits without `stop` having been called. */
  onUnexpectedExit: (error: Error) => void
}

interface RunningServer {
  port: number
  /** Fast shutdown: disconnects clients and writes a checkpoint. Resolves when the process has exited. */
  stop(): Promise<void>
}

/** How long a fast shutdown may take before an immediate one, after which the next start runs crash recovery. */
const shutdownMsMax = 4_000
/** How long starting is retried while the cause is transient. */
const retryMsMax = 10_000

/** Starts the server; resolves when it accepts connections. Throws a `StartError` with the server's own reason. */
export async function runServer(options: ServerOptions): Promise<RunningServer> {
  const deadline = performance.now() + retryMsMax
  for (;;) {
    try {
      return await attemptStart(options, options.port || (await freePort(loopback)))
    } catch (error) {
      if (performance.now() > deadline || !isTransient(error as Error, options)) throw error
      await wait(100)
    }
  }
}

/**
 * The backends of a killed server outlive it briefly and keep its shared memory attached. A free port may be taken
 * by another process before the server binds it.
 */
function isTransient({ message }: Error, { port }: ServerOptions): boolean {
  return (
    message.includes('pre-existing shared memory block') || (port === 0 && message.includes('could not bind'))
  )
}

async function attemptStart(options: ServerOptions, port: number): Promise<RunningServer> {
  const child = spawnServer(options, port)
  const exited = new Promise<void>(resolve => child.once('close', () => resolve()))
  // The server must not outlive a process that exits without closing it, for example on an uncaught exception.
  const stopOnExit = () => child.kill('SIGINT')
  process.once('exit', stopOnExit)
  void exited.then(() => process.off('exit', stopOnExit))
  await untilReady(child, options.onLog)
  let stopping = false
  void exited.then(
    () => stopping || options.onUnexpectedExit(new Error('Embedded PostgreSQL exited unexpectedly.')),
  )
  return {
    port,
    async stop() {
      stopping = true
      await shutDown(child, exited)
    },
  }
}

async function shutDown(child: ChildProcess, exited: Promise<void>): Promise<void> {
  child.kill('SIGINT')
  const timer = setTimeout(() => child.kill('SIGQUIT'), shutdownMsMax)
  await exited
  clearTimeout(timer)
}

/** In a separate session: Ctrl-C in the terminal reaches only the service, which decides when to stop the server. */
function spawnServer({ program, account, cluster, durable }: ServerOptions, port: number): ChildProcess {
  const flags = Object.entries(serverSettings(port, durable)).map(([name, value]) => `--${name}=${value}`)
  return spawn(program, ['-D', cluster, ...flags], {
    ...account,
    cwd: '/',
    env: { LC_ALL: 'C' },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

/** Passed on the command line, so that changed settings apply to existing clusters too. */
function serverSettings(port: number, durable: boolean): Record<string, string | number> {
  return {
    port,
    listen_addresses: '127.0.0.1',
    // No Unix socket: its path is limited to 107 bytes, and loopback is password-protected as well.
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '128MB',
    // Fewer checkpoints, and stable plans for short statements. The binaries come without JIT.
    max_wal_size: '1GB',
    random_page_cost: 1.1,
    jit: 'off',
    // No replication.
    wal_level: 'minimal',
    max_wal_senders: 0,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Readiness is detected in the log, so its language must not depend on the machine.
    lc_messages: 'C',
    log_checkpoints: 'off',
    // Without these, commits still survive a killed server, but not a crash of the machine.
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  }
}

async function untilReady(child: ChildProcess, onLog: (line: string) => void): Promise<void> {
  const startLines: string[] = []
  let ready = false
  const output = createInterface({ input: child.stderr! })
  await new Promise<void>((resolve, reject) => {
    child.once('error', error => reject(new StartError(`PostgreSQL cannot be executed: ${error.message}`)))
    child.once('close', () => reject(new StartError(`PostgreSQL did not start: ${reasonIn(startLines)}`)))
    output.on('line', line => {
      onLog(line)
      if (!ready) startLines.push(line)
      ready ||= line.includes('database system is ready to accept connections')
      if (ready) resolve()
    })
  })
}

/** The lines that report an error, without their prefixes; all lines if none does. */
function reasonIn(lines: string[]): string {
  const errors = lines.filter(line => /\b(FATAL|PANIC|ERROR|WARNING|HINT|could not)\b/.test(line))
  const shown = errors.length > 0 ? errors : lines
  return shown.map(line => line.replace(/^.*?\[\d+\] /, '')).join(' ') || 'it logged no reason'
}
