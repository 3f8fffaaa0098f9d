import { execFile } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '#server/configuration/start-error.ts'

const root = join(import.meta.dirname, '..')

/** What `npm run build` makes of a checkout. Paths are relative to the checkout's folder. */
interface Build {
  progress: string
  failure: string
  /** The file that the build writes last. */
  built: string
  sources: string[]
  /** Node's arguments, of which the first is a file of this checkout. */
  program: [file: string, ...args: string[]]
}

export const dashboardBuild: Build = {
  progress: 'Building the dashboard (takes some seconds)',
  failure: 'The dashboard could not be built',
  built: 'dashboard/dist/index.html',
  sources: [
    'package-lock.json',
    'dashboard/**/*',
    'docs/samples/**/*',
    'server/pages/html/{tokens.css,icon.svg}',
  ],
  program: ['node_modules/vite/bin/vite.js', 'build', 'dashboard', '--logLevel', 'error'],
}

export const downloadsBuild: Build = {
  progress: 'Packing the clients (takes some seconds)',
  failure: 'The clients could not be packed',
  built: 'clients/dist/SHA256SUMS',
  sources: [
    'package.json',
    'LICENSE',
    'development/build-downloads.ts',
    'domain/error-codes.ts',
    '{clients,console-api}/**/*.{ts,json,py,toml,md}',
  ],
  program: ['development/build-downloads.ts'],
}

/** Builds what a checkout lacks, or has of older sources. Throws a `StartError` if a build fails. */
export async function ensureBuilt(onProgress: (line: string) => void): Promise<void> {
  await Promise.all([dashboardBuild, downloadsBuild].map(build => ensure(build, onProgress)))
}

/** In a process of its own: what it takes, some 500 MB, the service would keep. */
export async function ensure(build: Build, onProgress: (line: string) => void, folder = root): Promise<void> {
  if (isCurrent(build, folder)) return
  onProgress(build.progress)
  const [file, ...args] = build.program
  const run = promisify(execFile)(process.execPath, [join(root, file), ...args], { cwd: folder })
  await run.catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new StartError(`${build.failure}:\n${stdout}${stderr}`)
  })
}

/** Whether it was built after the last change of a source. */
export function isCurrent({ built, sources }: Pick<Build, 'built' | 'sources'>, folder: string): boolean {
  const modifiedAt = (file: string) => statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const files = globSync(sources, { cwd: folder, exclude: ['**/dist/**', '**/node_modules/**'] })
  const builtAt = modifiedAt(built)
  return builtAt > 0 && files.every(file => modifiedAt(file) <= builtAt)
}
