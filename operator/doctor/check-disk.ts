import { existsSync, type StatsFs } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { Config } from '#server/configuration/config.ts'
import { type Check, check, Fault } from './check.ts'

const freeBytesMin = 1024 ** 3
const freeShareMin = 0.05

/** The file system of this machine that the embedded parts, or logs, are on. */
export async function checkDisk({ dataFolder, databaseUrl }: Config): Promise<Check> {
  return await check('disk', async () => {
    const folder = existsSync(dataFolder) ? dataFolder : '.'
    const description = describeSpace(folder, await statfs(folder))
    return databaseUrl ? `${description}; that of PostgreSQL has to be monitored on its server` : description
  })
}

/** Throws a `Fault` if less than 1 GiB or 5 % is free. */
export function describeSpace(
  folder: string,
  { bavail, blocks, bsize }: Pick<StatsFs, 'bavail' | 'blocks' | 'bsize'>,
): string {
  const free = bavail * bsize
  const share = bavail / blocks
  const description = `${(free / 1024 ** 3).toFixed(1)} GiB (${Math.floor(100 * share)} %) free at ${folder}`
  if (free >= freeBytesMin && share >= freeShareMin) return description
  throw new Fault(`only ${description}: free some, or extend it`)
}
