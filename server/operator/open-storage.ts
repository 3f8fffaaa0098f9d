import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'

export interface Storage {
  databaseUrl: string
  /** 32 bytes, base64. */
  encryptionKey: string
  /** The sign-in provider whose subjects `member add` names. */
  memberIssuer: string
  close(): Promise<void>
}

/** Where the service keeps its data: the database that is configured, or the embedded one. */
export async function openStorage(config: Config): Promise<Storage> {
  const { databaseUrl, encryptionKey, oidcIssuer, dataFolder, port } = config
  const memberIssuer = oidcIssuer ?? (await localIssuer(dataFolder, port))
  if (databaseUrl && encryptionKey) {
    return { databaseUrl, encryptionKey, memberIssuer, close: async () => {} }
  }
  // Not loaded beside an external database, where the packages of embedded parts may not be installed.
  const { openEmbeddedDatabase } = await import('./open-embedded-database.ts')
  const { loadOrCreateEncryptionKey } = await import('../development/load-or-create-secret.ts')
  const { url, close } = await openEmbeddedDatabase(dataFolder)
  try {
    const key = encryptionKey ?? (await loadOrCreateEncryptionKey(dataFolder))
    return { databaseUrl: url, encryptionKey: key, memberIssuer, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The local sign-in provider: where it is or was, or else where the first start puts it. */
async function localIssuer(folder: string, servicePort: number): Promise<string> {
  const port = (await rememberedPort(folder)) ?? servicePort + 2
  return `http://127.0.0.1:${port}`
}

async function rememberedPort(folder: string): Promise<number | undefined> {
  try {
    return (JSON.parse(await readFile(join(folder, 'ports.json'), 'utf8')) as { signIn?: number }).signIn
  } catch {
    // Missing or damaged: the service then chooses anew, too.
    return undefined
  }
}
