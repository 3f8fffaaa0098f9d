import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Packed } from '../../harness/run/packed-clients.ts'
import { sharedResource } from '../../harness/run/shared-resources.ts'
import { type Requirement, runProgram } from '../../harness/system-program.ts'

/** Installs the client, as its sources are, in the project in this folder. Returns the package's files. */
export async function installPackedClient(folder: string): Promise<string[]> {
  const { tarball } = await sharedResource<Packed>('clients')
  const { stdout } = await runProgram('tar', ['tzf', tarball])
  const installed = join(folder, 'node_modules/@age-verification/client')
  await rm(installed, { recursive: true, force: true })
  await mkdir(installed, { recursive: true })
  await runProgram('tar', ['xzf', tarball, '-C', installed, '--strip-components=1'])
  return stdout
    .trim()
    .split('\n')
    .map(path => path.replace(/^package\//, ''))
}

export interface Runtime extends Requirement {
  name: string
  /** Its path. */
  program: string
}

/** Where the client is said to run. Those that aren't installed are pending. */
export const runtimes: Runtime[] = [runtime('Node', process.execPath), runtime('another Node', otherNode())]

function runtime(name: string, path: string | undefined): Runtime {
  return { name, program: path ?? '', isMissing: !path, reason: `install ${name}` }
}

/** A Node on the PATH that is not the project's own, of a version that the client supports. */
function otherNode(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = folders.map(folder => pathOf(join(folder, 'node')))
  return found.find(path => path && path !== realpathSync(process.execPath) && majorVersion(path) >= 20)
}

function pathOf(program: string): string | undefined {
  try {
    return realpathSync(program)
  } catch {
    return undefined
  }
}

function majorVersion(node: string): number {
  return Number(/^v(\d+)/.exec(execFileSync(node, ['--version'], { encoding: 'utf8' }))?.[1])
}
