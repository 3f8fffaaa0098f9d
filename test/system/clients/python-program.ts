import { spawnSync } from 'node:child_process'
import { findProgram } from '../../harness/system-program.ts'

/** Debian's own Python, which finds Debian's packages, if it is there. */
const candidates = ['/usr/bin/python3', findProgram('python3')]

/** A Python with these modules; undefined if there is none. */
export function findPython(...modules: string[]): string | undefined {
  const args = ['-c', `import ${['sys', ...modules].join(', ')}`]
  return candidates.find(program => program && spawnSync(program, args).status === 0)
}

/** What the Python client needs. */
export const clientModules = ['httpx', 'jwt', 'cryptography']
