import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface OwnerProcess {
  child: ChildProcess
  url: string
  serverPid: number
}

/** Starts a process that locks the data folder and runs PostgreSQL on it, as a second service would. */
export async function startOwnerProcess(
  folder: string,
  account: { uid?: number; gid?: number } = {},
): Promise<OwnerProcess> {
  const script = new URL('./run-owner.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script, folder], { ...account, stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`The owner process exited with ${code} before it was ready.`)
  })
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout! }), 'line'), exited])) as [
    string,
  ]
  return { child, ...(JSON.parse(line) as { url: string; serverPid: number }) }
}

/** Sends the signal, and returns the exit code when the process has exited. */
export async function stopOwnerProcess(
  { child }: OwnerProcess,
  signal: NodeJS.Signals,
): Promise<number | null> {
  const exited = once(child, 'exit')
  child.kill(signal)
  const [code] = await exited
  return code
}
