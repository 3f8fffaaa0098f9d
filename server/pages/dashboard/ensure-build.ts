import { execFile } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { StartError } from '../../configuration/start-error.ts'

/** The dashboard's sources, with its `vite.config.ts`. */
const dashboardFolder = join(import.meta.dirname, '../../../dashboard')

/** The built dashboard, which is what the service serves. */
export const distFolder = join(dashboardFolder, 'dist')

/** What the dashboard is built from besides its folder. */
const sharedSources = ['tokens.css', 'icon.svg'].map(file => join(import.meta.dirname, '../html', file))
const samplesFolder = join(dashboardFolder, '../docs/samples')

export interface BuildOptions {
  /** The sources; the build goes to their `dist`. */
  folder?: string
  /** The lock file of the packages that are built in. */
  lockFile?: string
  /** Receives one line when a build starts. */
  onProgress: (line: string) => void
  /** Returns the file of Vite's program; undefined if it is not installed. */
  findVite?: () => string | undefined
}

/**
 * Builds the dashboard if there is no build or if a source is newer than it. A production installation has no Vite:
 * there the existing build is used as it is. Throws a `StartError` if there is neither, or if the build fails.
 */
export async function ensureBuild({
  folder = dashboardFolder,
  lockFile = join(dashboardFolder, '../package-lock.json'),
  onProgress,
  findVite = findInstalledVite,
}: BuildOptions): Promise<void> {
  const builtAt = await modifiedAt(join(folder, 'dist/index.html'))
  if (builtAt !== undefined && builtAt >= (await newestSource(folder, lockFile))) return
  const vite = findVite()
  if (vite !== undefined) {
    onProgress('Building the dashboard (takes some seconds) …')
    await build(vite, folder)
  } else if (builtAt === undefined) {
    throw new StartError('The dashboard is not built: run "npm ci && npm run build" first.')
  }
}

/** In a process of its own: what it takes, some 500 MB, the service would keep. */
async function build(vite: string, folder: string): Promise<void> {
  const run = promisify(execFile)(process.execPath, [vite, 'build', folder, '--logLevel', 'error'])
  await run.catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new StartError(`The dashboard could not be built:\n${stdout}${stderr}`)
  })
}

function findInstalledVite(): string | undefined {
  try {
    return join(fileURLToPath(import.meta.resolve('vite/package.json')), '../bin/vite.js')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** Returns when the newest source was modified, in milliseconds. */
async function newestSource(folder: string, lockFile: string): Promise<number> {
  const list = (path: string) => readdir(path, { recursive: true, withFileTypes: true })
  const entries = (await Promise.all([folder, samplesFolder].map(list))).flat()
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const sources = files.filter(file => !/^(dist|node_modules)\b/.test(relative(folder, file)))
  const times = await Promise.all([lockFile, ...sharedSources, ...sources].map(modifiedAt))
  return Math.max(...times.map(time => time ?? 0))
}

async function modifiedAt(file: string): Promise<number | undefined> {
  const stats = await stat(file).catch(() => undefined)
  return stats?.mtimeMs
}
