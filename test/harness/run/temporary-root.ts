import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where Linux has a file system in memory. */
const memoryFolder = '/dev/shm'

/** The databases and services of a run take less than a quarter of it. */
const freeBytesMin = 4 * 1024 ** 3

/**
 * Makes the folder that all temporary files of the run are in, in memory where there is room: the hundreds of
 * databases of a run are cloned and deleted for a fraction of the CPU time that a disk takes. `os.tmpdir()` returns it
 * from then on, in this process and in those that it starts.
 */
export async function makeTemporaryRoot(closing: AsyncDisposableStack): Promise<string> {
  const root = await mkdtemp(
    join((await hasRoom(memoryFolder)) ? memoryFolder : tmpdir(), 'age-verification-'),
  )
  closing.defer(() => rm(root, { recursive: true, force: true }))
  // As accessible as the system's own: where the tests run as root, PostgreSQL runs as another user.
  await chmod(root, 0o1777)
  process.env.TMPDIR = root
  return root
}

async function hasRoom(folder: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize >= freeBytesMin
  } catch {
    return false
  }
}
