import { existsSync } from 'node:fs'
import { join } from 'node:path'

export interface BuildOptions {
  /** The dashboard's source, with its `vite.config.ts`. */
  folder: string
  /** Gets one line when a build begins. */
  tell: (line: string) => void
}

/**
 * Builds the dashboard if it was never built, and answers with the folder that holds it. Production builds
 * beforehand and has no Vite, which is why it is imported only here.
 */
export async function ensureBuild({ folder, tell }: BuildOptions): Promise<string> {
  const distFolder = join(folder, 'dist')
  if (existsSync(join(distFolder, 'index.html'))) return distFolder
  tell('Building the dashboard (once, some seconds) …')
  const { build } = await import('vite')
  await build({ root: folder, logLevel: 'error' })
  return distFolder
}
