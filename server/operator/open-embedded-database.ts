import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openDataFolder } from '../development/data-folder.ts'
import { attachPostgres, databaseName, startPostgres } from '../development/postgres/start-postgres.ts'
import { StartError } from '../start-error.ts'

export interface EmbeddedDatabase {
  url: string
  close(): Promise<void>
}

/** How long a service that is starting, or another operator's command, is waited for. */
const patienceMs = 30_000
const tryEveryMs = 150

/**
 * The embedded database: of the service that runs on the data folder, or, when none does, started for this one
 * command. Throws a `StartError` when the folder stays busy.
 */
export async function openEmbeddedDatabase(folder: string): Promise<EmbeddedDatabase> {
  const giveUpAt = Date.now() + patienceMs
  for (;;) {
    // The folder is asked for first: a server that a killed service left behind is nobody's, and may be stopped.
    const held = await holdFolder(folder)
    if ('path' in held) return await startOwn(held)
    const url = (await isHeldByOperator(folder)) ? undefined : await attachPostgres({ folder, databaseName })
    if (url) return { url, close: async () => {} }
    if (Date.now() >= giveUpAt) throw held.fault
    await wait(tryEveryMs)
  }
}

type Held = Awaited<ReturnType<typeof openDataFolder>>

async function holdFolder(folder: string): Promise<Held | { fault: StartError }> {
  try {
    return await openDataFolder(folder)
  } catch (error) {
    // Busy, if it has an owner at all; otherwise it can't be made or read, and waiting is of no use.
    if (error instanceof StartError && (await pidIn(folder, 'owner.pid'))) return { fault: error }
    throw error
  }
}

async function startOwn(held: Held): Promise<EmbeddedDatabase> {
  const mark = join(held.path, operatorMark)
  try {
    await writeFile(mark, `${process.pid}\n`)
    const server = await startPostgres({ folder: held.path, port: 0, databaseName })
    const close = async () => {
      await server.close()
      await rm(mark, { force: true })
      await held.release()
    }
    return { url: server.url, close }
  } catch (error) {
    await held.release()
    throw error
  }
}

/** Says that the folder's owner is an operator's command, whose server goes away with it. */
const operatorMark = 'operator.pid'

async function isHeldByOperator(folder: string): Promise<boolean> {
  const owner = await pidIn(folder, 'owner.pid')
  return owner !== '' && owner === (await pidIn(folder, operatorMark))
}

async function pidIn(folder: string, file: string): Promise<string> {
  return (await readFile(join(folder, file), 'utf8').catch(() => '')).trim()
}
