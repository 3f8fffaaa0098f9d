import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programVersion } from '#domain/schema/program-version.ts'

/** What this program was built from. */
export const build = {
  version: programVersion,
  /** The first 12 digits of the Git commit, or `unknown`. An image has it as `GIT_COMMIT`. */
  commit: (process.env.GIT_COMMIT || readCheckedOut() || 'unknown').slice(0, 12),
}

/** The commit of a checkout; undefined outside one, and in a linked worktree. */
function readCheckedOut(): string | undefined {
  const git = join(import.meta.dirname, '../.git')
  try {
    const head = readFileSync(join(git, 'HEAD'), 'utf8').trim()
    return head.startsWith('ref: ') ? readFileSync(join(git, head.slice(5)), 'utf8').trim() : head
  } catch {
    return undefined
  }
}
