import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'

export interface Storage {
  databaseUrl: string
  /** Whether it is the embedded database, in DATA_DIR. */
  isEmbedded: boolean
  /** 32 bytes, base64. */
  encryptionKey: string
  /** The sign-in provider that issues the subjects of `member add`. */
  memberIssuer: string
  close(): Promise<void>
}

/** Opens the service's data: the configured database, or the embedded one. */
export async function openStorage(config: Config): Promise<Storage> {
  const { databaseUrl, encryptionKey, oidcIssuer, dataFolder, port } = config
  const memberIssuer = oidcIssuer ?? (await localIssuer(dataFolder, port))
  if (databaseUrl && encryptionKey) {
    return { databaseUrl, isEmbedded: false, encryptionKey, memberIssuer, close: async () => {} }
  }
  // Imported only here: production installations may lack the packages of the embedded database.
  const { openEmbeddedDatabase } = await import('./open-embedded-database.ts')
  const { loadOrCreateEncryptionKey } = await import('../development/load-or-create-secret.ts')
  const { url, close } = await openEmbeddedDatabase(dataFolder)
  try {
    const key = encryptionKey ?? (await loadOrCreateEncryptionKey(dataFolder))
    return { databaseUrl: url, isEmbedded: true, encryptionKey: key, memberIssuer, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The local sign-in provider: on its stored port, or on the port that the first start will choose. */
async function localIssuer(folder: string, servicePort: number): Promise<string> {
  const port = (await storedPort(folder)) ?? servicePort + 2
  return `http://127.0.0.1:${port}`
}

async function storedPort(folder: string): Promise<number | undefined> {
  try {
    return (JSON.parse(await readFile(join(folder, 'ports.json'), 'utf8')) as { signIn?: number }).signIn
  } catch {
    // Missing or damaged: the service chooses a new port in that case, too.
    return undefined
  }
}
