import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const root = join(import.meta.dirname, '..', '..', '..')

export interface Ended {
  exitCode: number | null
  out: string
  err: string
}

/** Plays the demo in a process of its own, with these variables beside the inherited ones, to its end. */
export async function runDemo(env: Record<string, string>): Promise<Ended> {
  const child = spawn(process.execPath, ['server/demo/main.ts'], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  const [out, err, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { exitCode, out, err }
}
