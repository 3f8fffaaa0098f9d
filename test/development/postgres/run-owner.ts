/** The program of `startOwnerProcess`: `run-owner.ts FOLDER` prints `{url, serverPid}`; SIGTERM stops it. */
import { openDataFolder } from '#development/data-folder.ts'
import { findServerProcess } from '#development/postgres/server-process.ts'
import { startPostgres } from '#development/postgres/start-postgres.ts'

const folder = await openDataFolder(process.argv[2]!)
const postgres = await startPostgres({
  folder: folder.path,
  port: 0,
  databaseName: 'product',
  durable: false,
})
const server = await findServerProcess(`${folder.path}/postgres`)
process.once('SIGTERM', async () => {
  await postgres.close()
  await folder.release()
  process.exit(0)
})
process.stdout.write(`${JSON.stringify({ url: postgres.url, serverPid: server?.pid })}\n`)
process.stdin.resume()
