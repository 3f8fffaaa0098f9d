import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { freePort } from '#server/http/free-port.ts'
import { eventually } from '../../harness/eventually.ts'

interface SampleProcess {
  /** What it has written, to standard output and error. */
  output(): string
  /** Resolves when it has ended by itself, with its exit code. */
  ended: Promise<number | null>
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** Runs a sample as a process with these variables only. Those in Python find our module. */
export function runSample(
  [program, ...args]: readonly string[],
  env: Record<string, string>,
  folder?: string,
): SampleProcess {
  const python = { PYTHONPATH: resolve('clients/python'), PYTHONDONTWRITEBYTECODE: '1' }
  const child = spawn(program!, args, { env: { PATH: process.env.PATH, ...python, ...env }, cwd: folder })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', text => {
      output += text
    })
  }
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return {
    output: () => output,
    ended,
    async stop(signal) {
      child.kill(signal)
      await ended
    },
  }
}

export interface RunningReceiver extends SampleProcess {
  url: string
}

/** Runs a receiver on a free port, which is also put for `$PORT` in its command, until it responds or has ended. */
export async function startReceiver(
  command: readonly string[],
  env: Record<string, string>,
  folder?: string,
): Promise<RunningReceiver> {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}/webhooks`
  const receiver = runSample(
    command.map(part => part.replace('$PORT', port)),
    { PORT: port, ...env },
    folder,
  )
  let hasEnded = false
  void receiver.ended.then(() => {
    hasEnded = true
  })
  await eventually(() => hasEnded || fetch(url).then(() => true), { timeoutMs: 60_000 })
  return { url, ...receiver }
}
