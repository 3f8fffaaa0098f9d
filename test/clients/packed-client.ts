import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

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
