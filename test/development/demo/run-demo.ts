import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const root = join(import.meta.dirname, '..', '..', '..')

export interface DemoResult {
  exitCode: number | null
  out: string
  err: string
}

/** Runs the demo in a process, with these variables added to the inherited ones, until it exits. */
export async function runDemo(env: Record<string, string>): Promise<DemoResult> {
  const { child, exited } = spawnDemo(env)
  const [out, err, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), exited])
  return { exitCode, out, err }
}

/** The same, but closes its output once its service is running, as `head` does. Returns the exit code. */
export async function runDemoUnread(env: Record<string, string>): Promise<number | null> {
  const { child, exited } = spawnDemo(env)
  let out = ''
  child.stderr.resume()
  child.stdout.on('data', chunk => {
    out += chunk
    if (out.includes('Started at')) child.stdout.destroy()
  })
  return await exited
}

function spawnDemo(env: Record<string, string>) {
  const child = spawn(process.execPath, ['development/demo/main.ts'], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<number | null>(resolve => child.once('close', resolve))
  return { child, exited }
}
