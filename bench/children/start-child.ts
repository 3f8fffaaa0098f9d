import { fork, type Serializable } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const reporter = join(import.meta.dirname, 'report-cpu.ts')

export interface ChildOptions {
  program: string
  arguments?: string[]
  /** The whole environment, beside the path. */
  env?: Record<string, string>
  /** The current folder: one without a file `.env`. */
  folder: string
  /** Flags of Node. */
  flags?: string[]
}

export interface Child {
  /** Of the process with all its threads, in microseconds. */
  cpuUs(): Promise<number>
  ask<Answer>(question: Serializable): Promise<Answer>
  /** Rejects when the process has ended without having been asked to. */
  ended: Promise<never>
  close(): Promise<void>
}

/** A Node process of the benchmark's. What it logs is thrown away; what it complains about is shown. */
export function startChild(options: ChildOptions): Child {
  const { program, env = {}, folder, flags = [] } = options
  const child = fork(program, options.arguments ?? [], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    execArgv: [...flags, '--import', reporter],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const gone = once(child, 'exit')
  const ended = gone.then(() => {
    throw new Error(`${program} has ended by itself`)
  })
  ended.catch(() => {})
  async function ask<Answer>(question: Serializable): Promise<Answer> {
    const answered = once(child, 'message')
    child.send(question)
    const [answer] = await Promise.race([answered, ended])
    return answer
  }
  return {
    ask,
    ended,
    async cpuUs() {
      const { cpu } = await ask<{ cpu: NodeJS.CpuUsage }>('cpu')
      return cpu.user + cpu.system
    },
    async close() {
      child.kill('SIGTERM')
      await gone
    },
  }
}
