import { execFile } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '#server/configuration/start-error.ts'

const root = join(import.meta.dirname, '..')

const progress = 'Building the dashboard (takes some seconds)'
/** The file that the build writes last. Paths are relative to the checkout's folder. */
const built = 'dashboard/dist/index.html'
const sources = [
  'package-lock.json',
  'dashboard/**/*',
  'docs/samples/**/*',
  'server/pages/html/{tokens.css,icon.svg}',
]

/** Builds the dashboard if a checkout has none, or one of older sources. Throws a `StartError` if the build fails. */
export async function ensureBuilt(onProgress: (line: string) => void, folder = root): Promise<void> {
  if (isCurrent(folder)) return
  onProgress(progress)
  // In a process of its own: what it takes, some 500 MB, the service would keep.
  const args = [join(root, 'node_modules/vite/bin/vite.js'), 'build', 'dashboard', '--logLevel', 'error']
  const run = promisify(execFile)(process.execPath, args, { cwd: folder })
  await run.catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new StartError(`The dashboard could not be built:\n${stdout}${stderr}`)
  })
}

/** Whether it was built after the last change of a source. */
function isCurrent(folder: string): boolean {
  const modifiedAt = (file: string) => statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const files = globSync(sources, { cwd: folder, exclude: ['**/dist/**', '**/node_modules/**'] })
  const builtAt = modifiedAt(built)
  return builtAt > 0 && files.every(file => modifiedAt(file) <= builtAt)
}
