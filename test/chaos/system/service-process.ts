import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { TcpProxy } from '../../harness/engines/tcp-proxy.ts'
import { eventually } from '../../harness/eventually.ts'
import { endProcess, isRunning, killOnExit } from '../../harness/processes/process-tree.ts'
import { root } from '../../harness/processes/service-process.ts'
import type { ClockMessage } from './clock.ts'

export type ServiceRole = 'api' | 'worker' | 'all'

export interface ServiceProcessOptions {
  /** Such as `api-0`. */
  name: string
  role: ServiceRole
  /** Serves health, and requests unless the role is `worker`. */
  port: number
  env: Record<string, string>
  folder: string
  logFile: string
  /** Called when it ends without having been told to, after it was up. */
  onUnexpectedExit: (line: string) => void
}

export interface ServiceNetwork {
  database: TcpProxy[]
  cache: TcpProxy[]
}

const restartMs = 500
/** Between two probes of a load balancer. */
const probeMs = 200

/** A process of the service under a supervisor, which starts it again until it is up. */
export class ServiceProcess {
  readonly options: ServiceProcessOptions
  readonly network: ServiceNetwork
  /** Whether a load balancer routes requests to it. */
  isInRotation = true
  #child: ChildProcess | undefined
  /** Whether it is supposed to run. */
  #wanted = false
  /** Whether the current process has been ready. */
  #wasReady = false
  #clockOffsetMs = 0
  #supervisor = Promise.resolve()

  constructor(options: ServiceProcessOptions, network: ServiceNetwork) {
    this.options = options
    this.network = network
  }

  get origin(): string {
    return `http://127.0.0.1:${this.options.port}`
  }

  get isRunning(): boolean {
    return this.#child !== undefined && isRunning(this.#child)
  }

  /** Starts it, again and again where its dependencies are unavailable. Resolves when it is ready, or stopped. */
  async start(): Promise<void> {
    this.#wanted = true
    this.#supervisor = this.#supervise()
    await this.untilReady()
  }

  /** Resolves when it and its dependencies are up, or when it is stopped. */
  async untilReady(timeoutMs = 120_000): Promise<void> {
    await eventually(async () => !this.#wanted || (await this.isReady()), { timeoutMs })
    this.#wasReady = true
  }

  async isReady(): Promise<boolean> {
    const signal = AbortSignal.timeout(3_000)
    const response = await fetch(`${this.origin}/health/ready`, { signal }).catch(() => undefined)
    await response?.body?.cancel()
    return response?.status === 200
  }

  /** Ends it, so that it is not started again. Returns the exit code, or the signal. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string | undefined> {
    this.#wanted = false
    const child = this.#child
    if (child) await endProcess(child, signal)
    await this.#supervisor
    return child?.exitCode ?? child?.signalCode ?? undefined
  }

  /** Ends it in order, and starts it again, behind a load balancer that probes it. Returns the exit code. */
  async restart(): Promise<number | string | undefined> {
    const ended = this.stop('SIGTERM')
    while (this.isInRotation && this.isRunning) {
      this.isInRotation = await this.isReady()
      await wait(probeMs)
    }
    const code = await ended
    this.isInRotation = false
    await this.start()
    this.isInRotation = true
    return code
  }

  freeze(): void {
    this.#child?.kill('SIGSTOP')
  }

  resume(): void {
    this.#child?.kill('SIGCONT')
  }

  /** How far its clock is ahead of the machine's, also after a restart. */
  setClock(offsetMs: number): void {
    this.#clockOffsetMs = offsetMs
    const message: ClockMessage = { clockOffsetMs: offsetMs }
    if (this.#child?.connected) this.#child.send(message, () => undefined)
  }

  async #supervise(): Promise<void> {
    while (this.#wanted) {
      const child = this.#spawn()
      this.#child = child
      this.#wasReady = false
      const [code, signal] = await once(child, 'exit')
      if (!this.#wanted) return
      if (this.#wasReady) this.options.onUnexpectedExit(`${this.options.name} ended with ${code ?? signal}`)
      await wait(restartMs)
    }
  }

  #spawn(): ChildProcess {
    const { env, folder, logFile } = this.options
    const log = openSync(logFile, 'a')
    const flags = ['--import', join(import.meta.dirname, 'clock.ts')]
    const child = spawn(process.execPath, [...flags, join(root, 'server/main.ts')], {
      cwd: folder,
      env: { ...env, CLOCK_OFFSET_MS: String(this.#clockOffsetMs) },
      stdio: ['ignore', log, log, 'ipc'],
    })
    closeSync(log)
    return killOnExit(child)
  }
}
