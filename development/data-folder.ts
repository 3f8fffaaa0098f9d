import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from '#server/configuration/start-error.ts'

/** Another process holds the lock. */
export class FolderLockedError extends StartError {
  override name = 'FolderLockedError'
}

/**
 * Creates the data folder if missing, and locks it for this process. Throws a `FolderLockedError`, or a `StartError` if the
 * folder cannot be created.
 */
export async function openDataFolder(path: string) {
  const folder = await createDataFolder(path)
  const pidFile = join(folder, 'owner.pid')
  const lock = tryLock(join(folder, 'owner.lock'))
  if (!lock) {
    const owner = await describeOwner(pidFile)
    throw new FolderLockedError(
      `The data folder ${folder} is in use by ${owner}. Stop it, or set DATA_DIR to another folder.`,
    )
  }
  await writeFile(pidFile, `${process.pid}\n`)
  return {
    /** Absolute, with symbolic links resolved. */
    path: folder,
    /** Releases the lock. */
    async release() {
      await rm(pidFile, { force: true })
      lock.close()
    },
  }
}

/** Creates the data folder if missing. Returns its absolute path; throws a `StartError` if it cannot be created. */
export async function createDataFolder(path: string): Promise<string> {
  try {
    // Only the folder itself is private: PostgreSQL may have to traverse its parents as another user.
    await mkdir(dirname(path), { recursive: true })
    await mkdir(path, { recursive: true, mode: 0o700 })
    return await realpath(path)
  } catch (error) {
    throw new StartError(`DATA_DIR: the folder ${path} cannot be created: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** https://www.sqlite.org/rescode.html#busy */
const sqliteBusyCode = 5

/**
 * A SQLite transaction is the one portable way in Node to hold a lock that the operating system releases when the
 * process dies for any reason. There is no pid to compare, so a reused pid cannot mislead. Returns undefined if
 * another process holds the lock.
 */
function tryLock(path: string): DatabaseSync | undefined {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(path, { timeout: 0 })
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock?.close()
    if ((error as { errcode?: number }).errcode === sqliteBusyCode) return undefined
    throw new StartError(`DATA_DIR: the folder cannot be locked (${path}): ${(error as Error).message}`, {
      cause: error,
    })
  }
}

async function describeOwner(pidFile: string): Promise<string> {
  const pid = await readFile(pidFile, 'utf8').catch(() => '')
  return pid.trim() === '' ? 'another process' : `the process ${pid.trim()}`
}
