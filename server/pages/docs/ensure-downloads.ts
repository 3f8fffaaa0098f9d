import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../../start-error.ts'
import { repositoryFolder } from './documents.ts'

const inRepository = (path: string) => join(repositoryFolder, path)

/**
 * Makes the downloads of a checkout that has none. A production installation has no compiler: there `/docs/downloads` says
 * that none were built. `npm run build` renews them.
 */
export async function ensureDownloads(onProgress: (line: string) => void): Promise<void> {
  if (existsSync(inRepository('clients/dist')) || !existsSync(inRepository('node_modules/typescript'))) return
  onProgress('Packing the clients (takes some seconds) …')
  const program = inRepository('development/build-downloads.ts')
  await promisify(execFile)(process.execPath, [program]).catch(
    ({ stdout, stderr }: Record<string, string>) => {
      throw new StartError(`The clients could not be packed:\n${stdout}${stderr}`)
    },
  )
}
