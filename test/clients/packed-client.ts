import { execFile, execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { findProgram, type Requirement } from '../harness/system-program.ts'

const run = promisify(execFile)

export interface PackedClient {
  /** A project in which the client and the packages of the samples are installed. */
  folder: string
  /** The files of the package. */
  files: string[]
}

/** Packs the client as for the registry and installs it in a new folder, together with packages of ours. */
export async function installPackedClient(packages: readonly string[]): Promise<PackedClient> {
  const folder = await mkdtemp(join(tmpdir(), 'sdk-'))
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: 'clients/typescript',
  })
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as [
    { filename: string; files: { path: string }[] },
  ]
  const installed = join(folder, 'node_modules/@age-verification/client')
  await mkdir(installed, { recursive: true })
  await run('tar', ['xzf', join(folder, filename), '-C', installed, '--strip-components=1'])
  for (const name of packages) {
    const link = join(folder, 'node_modules', name)
    await mkdir(join(link, '..'), { recursive: true })
    await symlink(resolve('node_modules', name), link)
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  return { folder, files: files.map(({ path }) => path) }
}

export interface Runtime extends Requirement {
  name: string
  /** The command, with the arguments before the file. */
  command: string[]
}

/** Where the client is said to run. Those that aren't installed are pending. */
export const runtimes: Runtime[] = [
  runtime('Node', process.execPath),
  runtime('another Node', otherNode()),
  runtime('Deno', findProgram('deno'), 'run', '--allow-all'),
  runtime('Bun', findProgram('bun')),
]

function runtime(name: string, path: string | undefined, ...args: string[]): Runtime {
  return { name, command: [path ?? '', ...args], isMissing: !path, reason: `install ${name}` }
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
