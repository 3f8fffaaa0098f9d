import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { Asset } from './asset.ts'

/**
 * Reads every built file, keyed by its path below the folder. Returns undefined if there is no build. Requests are
 * looked up in this map and never reach the file system, so path traversal is impossible.
 */
export async function readDist(distFolder: string): Promise<Map<string, Asset> | undefined> {
  const entries = await readdir(distFolder, { recursive: true, withFileTypes: true }).catch(ignoreMissing)
  if (!entries) return undefined
  const files = entries.filter(entry => entry.isFile())
  const assets = await Promise.all(
    files.map(async entry => {
      const file = join(entry.parentPath, entry.name)
      return new Asset(relative(distFolder, file).split(sep).join('/'), await readFile(file))
    }),
  )
  return new Map(assets.map(asset => [asset.path, asset]))
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
  return undefined
}
