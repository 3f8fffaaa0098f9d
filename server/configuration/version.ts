import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programVersion } from '#domain/schema/program-version.ts'

/** What this program was built from. */
export const build = {
  version: programVersion,
  /** The first 12 digits of the Git commit, or `unknown`. An image has it in the file `.commit`. */
  commit: (readRoot('.commit') || readCheckedOut() || 'unknown').slice(0, 12),
}

function readRoot(file: string): string | undefined {
  try {
    return readFileSync(join(import.meta.dirname, '../..', file), 'utf8').trim()
  } catch {
    return undefined
  }
}

/** The commit of a checkout; undefined outside one, and in a linked worktree. */
function readCheckedOut(): string | undefined {
  const head = readRoot('.git/HEAD')
  return head?.startsWith('ref: ') ? readRoot(`.git/${head.slice(5)}`) : head
}
