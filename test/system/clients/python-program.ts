import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { findProgram, type Requirement } from '../../harness/system-program.ts'

/** Debian's own Python, which finds Debian's packages, if it is there. */
const candidates = ['/usr/bin/python3', findProgram('python3')]

/** A Python with these modules; undefined if there is none. */
export function findPython(...modules: string[]): string | undefined {
  const args = ['-c', `import ${['sys', ...modules].join(', ')}`]
  return candidates.find(program => program && spawnSync(program, args).status === 0)
}

/** What the Python client and its tests need. */
export const clientModules = ['httpx', 'jwt', 'cryptography']
export const python = findPython(...clientModules)
export const pythonRequirement: Requirement = {
  isMissing: !python,
  reason: `no python3 with ${clientModules.join(', ')}`,
}

/** Without a folder of compiled files in the repository. */
export const pythonEnv = { PYTHONPATH: resolve('clients/python'), PYTHONDONTWRITEBYTECODE: '1' }

export const [, clientVersion] = /^VERSION = "(.+)"$/m.exec(
  readFileSync('clients/python/age_verification/version.py', 'utf8'),
)!
