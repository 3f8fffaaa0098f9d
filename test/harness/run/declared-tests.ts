import { appendFileSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Counts the tests of each file before it begins, in mocha's worker processes, for the reporter in its parent process: a hook
 * that fails drops the tests behind it without a word.
 */
export const mochaHooks = {
  beforeAll(this: Mocha.Context) {
    const root = this.test!.parent!
    appendFileSync(countsFile(), `${root.total()}\n`)
  },
}

/** How many tests the files that ran so far declare. Forgets them. */
export function takeDeclaredCount(): number {
  try {
    const counts = readFileSync(countsFile(), 'utf8').trim().split('\n')
    return counts.reduce((sum, count) => sum + Number(count), 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  } finally {
    rmSync(countsFile(), { force: true })
  }
}

/** In the run's own folder, which the parent process makes. */
const countsFile = () => join(tmpdir(), 'declared-tests')
