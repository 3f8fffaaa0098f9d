import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

/** The samples of a document by the file name in their first line, which is a comment. */
export function samplesOf(document: string): Map<string, string> {
  const blocks = readFileSync(document, 'utf8').matchAll(
    /^```(?:js|ts|python)\n(?:\/\/|#) ([\w.-]+)\n(.*?)^```/gms,
  )
  return new Map([...blocks].map(([, name, code]) => [name!, code!]))
}

export interface SampleProcess {
  /** What it has written, to standard output and error. */
  output(): string
  /** Resolves when it has ended by itself, with its exit code. */
  ended: Promise<number | null>
  stop(): Promise<void>
}

/** Runs a sample as a process with these variables only. */
export function runSample(
  command: string,
  args: readonly string[],
  { env, folder }: { env: Record<string, string>; folder?: string },
): SampleProcess {
  const child: ChildProcess = spawn(command, args, {
    env: { PATH: process.env.PATH, ...env },
    ...(folder && { cwd: folder }),
  })
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', text => {
      output += text
    })
  }
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return {
    output: () => output,
    ended,
    async stop() {
      child.kill()
      await ended
    },
  }
}
