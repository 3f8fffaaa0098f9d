import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '..', '..', '..', 'dashboard')

/** Builds the dashboard where it was never built, or where a source is newer than the build. */
export async function buildDashboard(): Promise<void> {
  if (!isOutdated()) return
  const { build } = await import('vite')
  await build({ root: folder, logLevel: 'error' })
}

function isOutdated(): boolean {
  const built = changedAt('dist/index.html')
  const sources = globSync('{index.html,vite.config.ts,public/**,src/**}', { cwd: folder })
  return sources.some(source => changedAt(source) > built)
}

/** Milliseconds since 1970; 0 for a file that doesn't exist. */
function changedAt(path: string): number {
  return statSync(join(folder, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
}
