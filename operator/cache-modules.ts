import { existsSync, mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Keeps compiled modules for the next command, which starts a quarter of a second sooner: in a folder of the user's own,
 * as whoever can write to it can run code here. Does nothing where there is no home folder, or where it is read-only.
 */
export function cacheModules(): void {
  try {
    let folder = homedir()
    // One by one: `recursive` creates a home folder that doesn't exist, and never ends below /proc.
    for (const name of ['.cache', 'age-verification-operator']) {
      folder = join(folder, name)
      if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
    }
    enableCompileCache(folder)
  } catch {
    // A user of a container may have no home folder.
  }
}
