import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '#server/configuration/config.ts'
import { assertRequiredSettings, loadEmbedded } from '#server/configuration/required-settings.ts'

export interface Storage {
  databaseUrl: string
  /** Each 32 bytes, base64; newest first. */
  encryptionKeys: string[]
  /** Which embedded database it is, and why; undefined if it is none. */
  embedded: string | undefined
  /** The sign-in provider that issues the subjects of `member add`. */
  memberIssuer: string
  close(): Promise<void>
}

const needed = ['DATABASE_URL', 'ENCRYPTION_KEY'] as const

/**
 * Opens the service's data: the configured database, or the embedded one. Throws a `ConfigError` if the embedded one
 * may not replace it.
 */
export async function openStorage(config: Config): Promise<Storage> {
  assertRequiredSettings(config, needed)
  const { databaseUrl, encryptionKeys, oidcIssuer, dataFolder, port } = config
  const memberIssuer = oidcIssuer ?? (await localIssuer(dataFolder, port))
  if (databaseUrl && encryptionKeys) {
    const close = async () => {}
    return { databaseUrl, encryptionKeys, embedded: undefined, memberIssuer, close }
  }
  // Imported only here: production installations may lack the packages of the embedded database.
  const { openEmbeddedDatabase, loadOrCreateEncryptionKey } = await loadEmbedded(
    config,
    async () => ({
      ...(await import('./open-embedded-database.ts')),
      ...(await import('#development/load-or-create-secret.ts')),
    }),
    needed,
  )
  const { url, isNew, close } = await openEmbeddedDatabase(dataFolder)
  try {
    const keys = encryptionKeys ?? [await loadOrCreateEncryptionKey(dataFolder)]
    return {
      databaseUrl: url,
      encryptionKeys: keys,
      embedded: `the ${isNew ? 'new, empty ' : ''}embedded database in ${resolve(dataFolder)}, because DATABASE_URL is not set`,
      memberIssuer,
      close,
    }
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
