import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../configuration/start-error.ts'
import { repositoryFolder } from './docs/documents.ts'

/** What a release has besides its sources, and what makes it. */
const parts = {
  'dashboard/dist/index.html': 'The dashboard is not built: run "npm ci && npm run build" before "npm prune"',
  'clients/released': 'The released clients are missing: copy the whole release',
}

/** Throws a `StartError` with a line for each part that a release lacks. Nothing is built, whatever the times of the files. */
export function assertBuilt(folder = repositoryFolder): void {
  const missing = Object.entries(parts).filter(([file]) => !existsSync(join(folder, file)))
  if (missing.length === 0) return
  throw new StartError(missing.map(([file, message]) => `${message} (no ${file})`).join('\n'))
}
