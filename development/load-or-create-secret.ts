import { randomBytes, randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Reads a secret from a file that only its owner can read; creates it on the first call. The file is never visible
 * half-written, and processes that create it concurrently all get the same secret.
 */
export async function loadOrCreateSecret(
  path: string,
  create: () => string | Promise<string>,
): Promise<string> {
  const existing = await readFile(path, 'utf8').catch(ignore('ENOENT'))
  if (existing !== undefined) return existing
  const draft = `${path}.${randomUUID()}`
  try {
    await writeFile(draft, await create(), { flag: 'wx', mode: 0o600, flush: true })
    // Unlike a rename, a link never replaces a secret that another process has created meanwhile.
    await link(draft, path).catch(ignore('EEXIST'))
  } finally {
    await rm(draft, { force: true })
  }
  return await readFile(path, 'utf8')
}

/** The key that encrypts secrets at rest, stored in the data folder: 32 random bytes, base64. */
export async function loadOrCreateEncryptionKey(folder: string): Promise<string> {
  return await loadOrCreateSecret(join(folder, 'encryption-key'), () => randomBytes(32).toString('base64'))
}

function ignore(code: string) {
  return (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== code) throw error
  }
}
