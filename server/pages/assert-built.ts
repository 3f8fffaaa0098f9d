import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../configuration/start-error.ts'
import { repositoryFolder } from './docs/documents.ts'

/** What `npm run build` makes: the file that each part has last. */
const parts = {
  'The dashboard is': 'dashboard/dist/index.html',
  'The downloads for tenants are': 'clients/dist/SHA256SUMS',
}

/** Throws a `StartError` with a line for each part that a release lacks. Nothing is built, whatever the times of the files. */
export function assertBuilt(folder = repositoryFolder): void {
  const missing = Object.entries(parts).filter(([, file]) => !existsSync(join(folder, file)))
  if (missing.length === 0) return
  throw new StartError(
    missing
      .map(
        ([part, file]) =>
          `${part} not built (${file} is missing): run "npm ci && npm run build" before "npm prune"`,
      )
      .join('\n'),
  )
}
