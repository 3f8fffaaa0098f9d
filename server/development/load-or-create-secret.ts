import { randomUUID } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'

/**
 * Reads the secret kept in a file, which only its owner can read; makes it the first time.
 * It appears complete or not at all, and of several processes that make it at once all get the same.
 */
export async function loadOrCreateSecret(
  path: string,
  make: () => string | Promise<string>,
): Promise<string> {
  const kept = await readKept(path)
  if (kept !== undefined) return kept
  const draft = `${path}.${randomUUID()}`
  try {
    await writeDurably(draft, await make())
    // Unlike a rename, a link never replaces the secret that another process has just made.
    await link(draft, path).catch(ignoreExisting)
  } finally {
    await rm(draft, { force: true })
  }
  return await readFile(path, 'utf8')
}

async function readKept(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
