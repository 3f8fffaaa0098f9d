import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { FolderLockedError, openDataFolder } from '#development/data-folder.ts'
import { attachPostgres, databaseName, startPostgres } from '#development/postgres/start-postgres.ts'

interface EmbeddedDatabase {
  url: string
  /** Whether it was made for this command, and so is empty. */
  isNew: boolean
  close(): Promise<void>
}

/** How long to wait for a service that is starting, or for another operator command. */
const timeoutMs = 30_000
const pollIntervalMs = 150

/**
 * Connects to the embedded database: that of the service that uses the data folder or, if none does, a server
 * started for this command. Throws a `FolderLockedError` if the folder stays locked for 30 s.
 */
export async function openEmbeddedDatabase(folder: string): Promise<EmbeddedDatabase> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    // The folder is locked first: a server left over from a killed service has no owner and may be stopped.
    const locked = await lockFolder(folder)
    if ('path' in locked) return await startServer(locked)
    const url = await attachPostgres({ folder, databaseName })
    // In this order: another command marks the folder before its server is ready.
    if (url && !(await isLockedByOperator(folder))) return { url, isNew: false, close: async () => {} }
    if (Date.now() >= deadline) throw locked.error
    await wait(pollIntervalMs)
  }
}

type LockedFolder = Awaited<ReturnType<typeof openDataFolder>>

async function lockFolder(folder: string): Promise<LockedFolder | { error: FolderLockedError }> {
  try {
    return await openDataFolder(folder)
  } catch (error) {
    // For what else is wrong with a folder, waiting would not help.
    if (error instanceof FolderLockedError) return { error }
    throw error
  }
}

async function startServer(locked: LockedFolder): Promise<EmbeddedDatabase> {
  const mark = join(locked.path, operatorMark)
  try {
    await writeFile(mark, `${process.pid}\n`)
    const server = await startPostgres({ folder: locked.path, port: 0, databaseName })
    const close = async () => {
      await server.close()
      await rm(mark, { force: true })
      await locked.release()
    }
    return { url: server.url, isNew: server.isNew, close }
  } catch (error) {
    await locked.release()
    throw error
  }
}

/** Marks the folder's owner as an operator command, whose server stops with it. */
const operatorMark = 'operator.pid'

async function isLockedByOperator(folder: string): Promise<boolean> {
  const owner = await readPid(folder, 'owner.pid')
  return owner !== '' && owner === (await readPid(folder, operatorMark))
}

async function readPid(folder: string, file: string): Promise<string> {
  return (await readFile(join(folder, file), 'utf8').catch(() => '')).trim()
}
