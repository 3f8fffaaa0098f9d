import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from '../start-error.ts'

export interface DataFolder {
  /** Absolute, with symbolic links resolved. */
  path: string
  /** Lets the next process have the folder. */
  release(): Promise<void>
}

/**
 * Makes the folder where needed, and takes it for this process alone.
 * Throws a `StartError` when another process has it, or when it cannot be made.
 */
export async function openDataFolder(path: string): Promise<DataFolder> {
  const folder = await makeFolder(path)
  const pidFile = join(folder, 'owner.pid')
  const lock = takeLock(join(folder, 'owner.lock'))
  if (!lock) {
    const owner = await describeOwner(pidFile)
    throw new StartError(
      `The data folder ${folder} is in use by ${owner}. Stop it, or set DATA_DIR to another folder.`,
    )
  }
  await writeFile(pidFile, `${process.pid}\n`)
  return {
    path: folder,
    async release() {
      await rm(pidFile, { force: true })
      lock.close()
    },
  }
}

async function makeFolder(path: string): Promise<string> {
  try {
    // Only the folder itself is closed: PostgreSQL may have to pass through its parents as another user.
    await mkdir(dirname(path), { recursive: true })
    await mkdir(path, { recursive: true, mode: 0o700 })
    return await realpath(path)
  } catch (error) {
    throw new StartError(`DATA_DIR: the folder ${path} cannot be made: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/**
 * SQLite is the one portable way in Node to hold a lock that the operating system itself drops when the
 * process dies, whatever kills it: no pid has to be compared, and a reused one cannot mislead.
 */
function takeLock(path: string): DatabaseSync | undefined {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(path, { timeout: 0 })
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock?.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined
    throw new StartError(`DATA_DIR: the folder cannot be locked (${path}): ${(error as Error).message}`, {
      cause: error,
    })
  }
}

const SQLITE_BUSY = 5

async function describeOwner(pidFile: string): Promise<string> {
  const pid = await readFile(pidFile, 'utf8').catch(() => '')
  return pid.trim() === '' ? 'another process' : `the process ${pid.trim()}`
}
