import { execFile } from 'node:child_process'
import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../../configuration/start-error.ts'
import { repositoryFolder } from './documents.ts'

/**
 * Makes the downloads of a checkout that has none, or has those of older sources. A production installation has no
 * compiler: there `/docs/downloads` has what was built, or says that nothing was.
 */
export async function ensureDownloads(onProgress: (line: string) => void): Promise<void> {
  const hasCompiler = existsSync(join(repositoryFolder, 'node_modules/typescript'))
  if (!hasCompiler || areDownloadsCurrent(repositoryFolder)) return
  onProgress('Packing the clients (takes some seconds) …')
  const program = join(repositoryFolder, 'development/build-downloads.ts')
  await promisify(execFile)(process.execPath, [program]).catch(
    ({ stdout, stderr }: Record<string, string>) => {
      throw new StartError(`The clients could not be packed:\n${stdout}${stderr}`)
    },
  )
}

/** Whether they were built after the last change of a source. */
export function areDownloadsCurrent(cwd: string): boolean {
  const modifiedAt = (file: string) => statSync(join(cwd, file), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const exclude = ['**/dist/**', '**/node_modules/**']
  const sources = globSync('{clients,console-api}/**/*.{ts,json,py,toml,md}', { cwd, exclude })
  const builtAt = modifiedAt('clients/dist/SHA256SUMS')
  return ['package.json', ...sources].every(file => modifiedAt(file) <= builtAt)
}
