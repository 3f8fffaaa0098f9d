import { type ExecFileOptions, execFile, spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { Suite } from 'mocha'
import { pendingTitle } from './pending.ts'

/** Resolves with the output of a program; rejects if it fails. */
export const runProgram = promisify(execFile)

/** The exit code and the output of a program that may fail. */
export async function outcomeOf(program: string, args: readonly string[], options: ExecFileOptions = {}) {
  return await runProgram(program, args, { ...options, encoding: 'utf8' }).then(
    output => ({ code: 0, ...output }),
    (failed: { code: number; stdout: string; stderr: string }) => failed,
  )
}

/** Where Debian installs servers. Not everybody has them on the PATH. */
const debianFolders = ['/usr/sbin', '/usr/local/sbin']

/** The path of an installed program; undefined if there is none. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...debianFolders]
  return folders.map(folder => join(folder, name)).find(isExecutable)
}

/** A Python with these modules, preferably Debian's own, which finds Debian's packages; undefined if there is none. */
export function findPython(...modules: string[]): string | undefined {
  const args = ['-c', `import ${modules.join(', ')}`]
  const candidates = ['/usr/bin/python3', findProgram('python3')]
  return candidates.find(program => program && spawnSync(program, args).status === 0)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export interface Requirement {
  isMissing: boolean
  /** What to install, as the reason why tests don't run. */
  reason: string
}

/** A suite that is pending, with the reason in its title, where a program is missing. */
export function describeWith(
  requirements: readonly Requirement[],
  title: string,
  suite: (this: Suite) => void,
): void {
  const missing = requirements.find(({ isMissing }) => isMissing)
  if (missing) describe.skip(pendingTitle(title, missing.reason), suite)
  else describe(title, suite)
}
