import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { StartError } from '../../start-error.ts'

/** The dashboard's sources, with its `vite.config.ts`. */
export const dashboardFolder = join(import.meta.dirname, '../../../dashboard')

/** The built dashboard, which is what the service serves. */
export const distFolder = join(dashboardFolder, 'dist')

/** What the dashboard is built from besides its folder. */
const sharedSources = ['tokens.css', 'icon.svg'].map(file => join(import.meta.dirname, '../html', file))

export interface BuildOptions {
  /** The sources; the build goes to their `dist`. */
  folder?: string
  /** The lock file of the packages that are built in. */
  lockFile?: string
  /** Receives one line when a build starts. */
  onProgress: (line: string) => void
  /** Imports Vite; undefined if it is not installed. */
  loadVite?: () => Promise<Pick<typeof import('vite'), 'build'> | undefined>
}

/**
 * Builds the dashboard if there is no build or if a source is newer than it. A production installation has no Vite:
 * there the existing build is used as it is. Throws a `StartError` if there is neither.
 */
export async function ensureBuild({
  folder = dashboardFolder,
  lockFile = join(dashboardFolder, '../package-lock.json'),
  onProgress,
  loadVite = importVite,
}: BuildOptions): Promise<void> {
  const builtAt = await modifiedAt(join(folder, 'dist/index.html'))
  if (builtAt !== undefined && builtAt >= (await newestSource(folder, lockFile))) return
  const vite = await loadVite()
  if (vite) {
    onProgress('Building the dashboard (takes some seconds) …')
    await vite.build({ root: folder, logLevel: 'error' })
  } else if (builtAt === undefined) {
    throw new StartError('The dashboard is not built: run "npm ci && npm run build" first.')
  }
}

async function importVite() {
  try {
    return await import('vite')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** Returns when the newest source was modified, in milliseconds. */
async function newestSource(folder: string, lockFile: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const sources = files.filter(file => !/^(dist|node_modules)\b/.test(relative(folder, file)))
  const times = await Promise.all([lockFile, ...sharedSources, ...sources].map(modifiedAt))
  return Math.max(...times.map(time => time ?? 0))
}

async function modifiedAt(file: string): Promise<number | undefined> {
  const stats = await stat(file).catch(() => undefined)
  return stats?.mtimeMs
}
