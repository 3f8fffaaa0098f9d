import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const root = join(import.meta.dirname, '..', '..', '..', '..')

export interface Ended {
  exitCode: number | null
  out: string
  err: string
}

/** Plays the demo in a process of its own, with these variables beside the inherited ones, to its end. */
export async function runDemo(env: Record<string, string>): Promise<Ended> {
  const { child, ended } = spawnDemo(env)
  const [out, err, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { exitCode, out, err }
}

/** The same, but its output is closed once its service is up, as `head` does. Answers with the exit code. */
export async function runDemoUnread(env: Record<string, string>): Promise<number | null> {
  const { child, ended } = spawnDemo(env)
  let out = ''
  child.stderr.resume()
  child.stdout.on('data', chunk => {
    out += chunk
    if (out.includes('It is up')) child.stdout.destroy()
  })
  return await ended
}

function spawnDemo(env: Record<string, string>) {
  const child = spawn(process.execPath, ['server/development/demo/main.ts'], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  return { child, ended }
}
