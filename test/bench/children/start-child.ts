import { fork, type Serializable } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Values } from '../report/table.ts'

const reporter = join(import.meta.dirname, 'report-usage.ts')

export interface ChildOptions {
  program: string
  arguments?: string[]
  /** The environment; only PATH is added to it. */
  env?: Record<string, string>
  /** The working directory, which must not contain a file `.env`. */
  folder: string
  /** Command line options of Node. */
  flags?: string[]
  /** The only processor that it runs on, by `taskset`. */
  processor?: number
}

export interface Child {
  /** Returns the CPU time of the process and all its threads in microseconds. */
  cpuUs(): Promise<number>
  /** Returns its memory as columns of a table; with the flag `--expose-gc`, after a garbage collection. */
  memory(): Promise<Values>
  request<Reply>(message: Serializable): Promise<Reply>
  /** Rejects if the process exits unexpectedly. */
  exited: Promise<never>
  close(): Promise<void>
}

/** Starts a Node process of the benchmark. Its standard output is discarded; its standard error is shown. */
export function startChild(options: ChildOptions): Child {
  const { program, env = {}, folder, flags = [], processor } = options
  const pinned = processor === undefined ? [] : ['-c', String(processor), process.execPath]
  const child = fork(program, options.arguments ?? [], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    ...(processor === undefined ? {} : { execPath: 'taskset' }),
    execArgv: [...pinned, ...flags, '--import', reporter],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exit = once(child, 'exit')
  const exited = exit.then(() => {
    throw new Error(`${program} exited unexpectedly`)
  })
  exited.catch(() => {})
  async function request<Reply>(message: Serializable): Promise<Reply> {
    const replied = once(child, 'message')
    child.send(message)
    const [reply] = await Promise.race([replied, exited])
    return reply
  }
  return {
    request,
    exited,
    async cpuUs() {
      const { cpu } = await request<{ cpu: NodeJS.CpuUsage }>('cpu')
      return cpu.user + cpu.system
    },
    memory: () => request<Values>('memory'),
    async close() {
      child.kill('SIGTERM')
      await exit
    },
  }
}
