import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface OwnerProcess {
  child: ChildProcess
  url: string
  serverPid: number
}

/** Prints its URL and the server's process; SIGTERM stops it. */
const program = `
  import { openDataFolder } from '#development/data-folder.ts'
  import { findServerProcess } from '#development/postgres/server-process.ts'
  import { startPostgres } from '#development/postgres/start-postgres.ts'
  const folder = await openDataFolder(process.argv[1])
  const options = { folder: folder.path, port: 0, databaseName: 'product', durable: false }
  const postgres = await startPostgres(options)
  const { pid } = await findServerProcess(folder.path + '/postgres')
  process.once('SIGTERM', async () => {
    await postgres.close()
    await folder.release()
    process.exit(0)
  })
  console.log(JSON.stringify({ url: postgres.url, serverPid: pid }))
  process.stdin.resume()`

/** Starts a process that locks the data folder and runs PostgreSQL on it, as a second service would. */
export async function startOwnerProcess(
  folder: string,
  account: { uid?: number; gid?: number } = {},
): Promise<OwnerProcess> {
  const args = ['--input-type=module', '-e', program, folder]
  const child = spawn(process.execPath, args, { ...account, stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`The owner process exited with ${code} before it was ready.`)
  })
  const [line] = await Promise.race([once(child.stdout!, 'data'), exited])
  return { child, ...JSON.parse(String(line)) }
}

/** Sends the signal, and resolves when the process has exited. */
export async function stopOwnerProcess({ child }: OwnerProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}
