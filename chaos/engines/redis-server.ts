import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { killOnExit, signalTree } from './process-tree.ts'

/** A Redis on loopback without files: it is empty after each start. */
export class RedisServer {
  readonly port: number
  readonly #logFile: string
  #process: ChildProcess | undefined

  constructor(port: number, logFile: string) {
    this.port = port
    this.#logFile = logFile
  }

  async start(): Promise<void> {
    const log = openSync(this.#logFile, 'a')
    const settings = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
    this.#process = spawn('redis-server', settings, { stdio: ['ignore', log, log] })
    killOnExit(this.#process)
    closeSync(log)
    while (!(await accepts(this.port))) await wait(20)
  }

  freeze(): void {
    signalTree(this.#process!.pid!, 'SIGSTOP')
  }

  resume(): void {
    signalTree(this.#process!.pid!, 'SIGCONT')
  }

  async kill(): Promise<void> {
    const server = this.#process
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const exited = once(server, 'exit')
    server.kill('SIGKILL')
    await exited
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
