import { fork, type Serializable } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const reporter = join(import.meta.dirname, 'report-usage.ts')

export interface ChildOptions {
  program: string
  /** The environment; only PATH and the folder of a compile cache are added to it. */
  env?: Record<string, string>
  /** The working directory, which must not contain a file `.env`. */
  folder: string
  /** Command line options of Node. */
  flags?: string[]
}

export interface Child {
  /** Returns the CPU time of the process and all its threads in microseconds. */
  cpuUs(): Promise<number>
  request<Reply>(message: Serializable): Promise<Reply>
  /** Rejects if the process exits unexpectedly. */
  exited: Promise<never>
  close(): Promise<void>
}

/** Starts a Node process of the benchmark. Its standard output is discarded; its standard error is shown. */
export function startChild(options: ChildOptions): Child {
  const { program, env = {}, folder, flags = [] } = options
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = fork(program, [], {
    cwd: folder,
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    execArgv: [...flags, '--import', reporter],
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
    async close() {
      child.kill('SIGTERM')
      await exit
    },
  }
}
