import { randomBytes, randomUUID } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Reads a secret from a file that only its owner can read; creates it on the first call. The file is never visible
 * half-written, and processes that create it concurrently all get the same secret.
 */
export async function loadOrCreateSecret(
  path: string,
  create: () => string | Promise<string>,
): Promise<string> {
  const existing = await readIfExists(path)
  if (existing !== undefined) return existing
  const draft = `${path}.${randomUUID()}`
  try {
    await writeDurably(draft, await create())
    // Unlike a rename, a link never replaces a secret that another process has created meanwhile.
    await link(draft, path).catch(ignoreExisting)
  } finally {
    await rm(draft, { force: true })
  }
  return await readFile(path, 'utf8')
}

/** The key that encrypts secrets at rest, stored in the data folder: 32 random bytes, base64. */
export async function loadOrCreateEncryptionKey(folder: string): Promise<string> {
  return await loadOrCreateSecret(join(folder, 'encryption-key'), () => randomBytes(32).toString('base64'))
}

async function readIfExists(path: string): Promise<string | undefined> {
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
