import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { TcpProxy } from '../../harness/engines/tcp-proxy.ts'
import { eventually } from '../../harness/eventually.ts'
import { type Launch, launchService, type ServiceProcess } from '../../harness/processes/service-process.ts'
import type { ClockMessage } from './clock.ts'

export type ServiceRole = 'api' | 'worker' | 'all'

/** Its port serves health, and requests unless the role is `worker`. */
export interface SupervisedOptions extends Launch {
  /** Such as `api-0`. */
  name: string
  role: ServiceRole
  /** Called when it ends without having been told to, after it was up. */
  onUnexpectedExit: (line: string) => void
}

export interface ServiceNetwork {
  database: TcpProxy[]
  redis: TcpProxy[]
}

const readyMsMax = 120_000
const restartMs = 500
/** Between two probes of a load balancer. */
const probeMs = 200
/** A later answer takes a process out of rotation: two probes and a pause are shorter than SHUTDOWN_DELAY. */
const probeMsMax = 300

/** A process of the service under a supervisor, which starts it again until it is up. */
export class SupervisedService {
  readonly options: SupervisedOptions
  readonly network: ServiceNetwork
  readonly origin: string
  /** Whether a load balancer routes requests to it. */
  isInRotation = true
  #process: ServiceProcess | undefined
  /** Whether it is supposed to run. */
  #wanted = false
  /** Whether the current process has been ready. */
  #wasReady = false
  #clockOffsetMs = 0
  #supervisor = Promise.resolve()

  constructor(options: SupervisedOptions, network: ServiceNetwork) {
    this.options = options
    this.network = network
    this.origin = `http://127.0.0.1:${options.port}`
  }

  get isRunning(): boolean {
    return this.#process?.isRunning() ?? false
  }

  /** Whether it and its dependencies are up. */
  async isReady(): Promise<boolean> {
    return (await this.#process?.isReady()) ?? false
  }

  /** Starts it, again and again where its dependencies are unavailable. Resolves when it is ready, or stopped. */
  async start(): Promise<void> {
    this.#wanted = true
    this.#supervisor = this.#supervise()
    await eventually(async () => !this.#wanted || (await this.isReady()), { timeoutMs: readyMsMax })
    this.#wasReady = true
  }

  /** Ends it, so that it is not started again. Returns the exit code, or the signal. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string | null | undefined> {
    this.#wanted = false
    this.#process?.signal(signal)
    const ended = await this.#process?.ended
    await this.#supervisor
    return ended?.code ?? ended?.signal
  }

  /** Ends it in order, and starts it again, behind a load balancer that probes it. Returns the exit code. */
  async restart(): Promise<number | string | null | undefined> {
    const ended = this.stop('SIGTERM')
    while (this.isInRotation && this.isRunning) {
      this.isInRotation = await Promise.race([this.isReady(), wait(probeMsMax, false)])
      await wait(probeMs)
    }
    const code = await ended
    this.isInRotation = false
    await this.start()
    this.isInRotation = true
    return code
  }

  /** Has it stop with SIGSTOP, or continue with SIGCONT. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process?.signal(signal)
  }

  /** How far its clock is ahead of the machine's, also after a restart. */
  setClock(clockOffsetMs: number): void {
    this.#clockOffsetMs = clockOffsetMs
    this.#process?.send({ clockOffsetMs } satisfies ClockMessage)
  }

  async #supervise(): Promise<void> {
    const { name, env, onUnexpectedExit } = this.options
    const preload = join(import.meta.dirname, 'clock.ts')
    while (this.#wanted) {
      this.#wasReady = false
      const CLOCK_OFFSET_MS = String(this.#clockOffsetMs)
      this.#process = launchService({ ...this.options, preload, env: { ...env, CLOCK_OFFSET_MS } })
      const { code, signal } = await this.#process.ended
      if (!this.#wanted) return
      if (this.#wasReady) onUnexpectedExit(`${name} ended with ${code ?? signal}`)
      await wait(restartMs)
    }
  }
}
