import { execFile, execFileSync } from 'node:child_process'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runOnExit } from '../processes/process-tree.ts'

const run = promisify(execFile)

/** A folder for the files of a database server, on a file system of its own where that is possible. */
export interface Volume {
  folder: string
  /** Why it can't be filled; undefined if it can. */
  notLimited: string | undefined
  /** Uses up all its space. */
  fill(): Promise<void>
  /** Returns the space that `fill` used up. */
  clear(): Promise<void>
  close(): Promise<void>
}

/** A cluster with little data has about 100 MB, and its WAL grows to twice that over minutes of failovers. */
const size = '512m'

/** Mounts a file system in memory with a limited size, for which Linux demands the rights of root. */
export async function openVolume(folder: string): Promise<Volume> {
  await mkdir(folder, { recursive: true, mode: 0o711 })
  const notLimited = await mount(folder)
  const ballast = join(folder, 'ballast')
  const unmount = () => void execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' })
  const cancel = notLimited ? undefined : runOnExit(unmount)
  return {
    folder,
    notLimited,
    fill: () => writeUntilFull(ballast),
    clear: () => rm(ballast, { force: true }),
    async close() {
      if (!cancel) return
      cancel()
      unmount()
    },
  }
}

async function mount(folder: string): Promise<string | undefined> {
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0711`, 'tmpfs', folder])
    return undefined
  } catch (error) {
    const [reason = ''] = (error as { stderr?: string }).stderr?.split('\n') ?? []
    return `no file system of a limited size can be mounted here (${reason || (error as Error).message})`
  }
}

async function writeUntilFull(file: string): Promise<void> {
  const handle = await open(file, 'a')
  try {
    // Smaller and smaller blocks, so that nothing is left.
    for (const bytes of [4_194_304, 65_536, 4_096, 1]) await appendUntilFull(handle, Buffer.alloc(bytes))
  } finally {
    await handle.close()
  }
}

async function appendUntilFull(handle: Awaited<ReturnType<typeof open>>, block: Buffer): Promise<void> {
  try {
    for (;;) await handle.appendFile(block)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
