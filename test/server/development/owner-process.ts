import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface OwnerProcess {
  child: ChildProcess
  url: string
  serverPid: number
}

/** Another process that takes the data folder and runs PostgreSQL on it, like a second service would. */
export async function startOwnerProcess(
  folder: string,
  account: { uid?: number; gid?: number } = {},
): Promise<OwnerProcess> {
  const script = new URL('./run-owner.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script, folder], { ...account, stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`The owner process ended with ${code} before it was ready.`)
  })
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout! }), 'line'), exited])) as [
    string,
  ]
  return { child, ...(JSON.parse(line) as { url: string; serverPid: number }) }
}

/** Ends the process, in an orderly way or not, and answers with its exit code when it is gone. */
export async function endOwnerProcess(
  { child }: OwnerProcess,
  signal: NodeJS.Signals,
): Promise<number | null> {
  const exited = once(child, 'exit')
  child.kill(signal)
  const [code] = await exited
  return code
}
