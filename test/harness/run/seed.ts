import { execFileSync } from 'node:child_process'
import fc from 'fast-check'

/**
 * What tests that use random values begin with. It is the commit's, so that a run can be repeated and each commit has values
 * of its own; `TEST_SEED` sets another one.
 */
export const seed = Number(process.env.TEST_SEED ?? commitSeed())
process.env.TEST_SEED = String(seed)

fc.configureGlobal({ seed })

function commitSeed(): number {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { stdio: ['ignore', 'pipe', 'ignore'] })
    return Number.parseInt(commit.toString().slice(0, 7), 16)
  } catch {
    // A copy without its history.
    return 1
  }
}
