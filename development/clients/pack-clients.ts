import { cp, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { compile, root } from './compile.ts'
import { packPythonClient } from './pack-python-client.ts'
import { writeArchive } from './write-archive.ts'

/** Of package.json, what a release needs of it. */
export interface Manifest {
  name: string
  version: string
  description: string
  license: string
}

/** What was written to the folder, by file name. */
export interface PackedClients {
  typescript: { manifest: Manifest; file: string }
  python: { name: string; version: string; requiresPython: string; files: string[] }
}

/** Packs both clients as their sources are, into a folder that exists, without a network. The same sources make the same bytes. */
export async function packClients(folder: string): Promise<PackedClients> {
  const [typescript, python] = await Promise.all([
    packTypeScriptClient(folder),
    packPythonClient(join(root, 'clients/python'), folder),
  ])
  return { typescript, python }
}

/** What `npm pack` would pack, at the same time of 1985, without the npm of whoever packs it. */
async function packTypeScriptClient(folder: string): Promise<PackedClients['typescript']> {
  const client = join(root, 'clients/typescript')
  const cwd = join(folder, 'package')
  await compile(client, join(cwd, 'dist'))
  await compile(join(client, 'tsconfig.command.json'), join(cwd, 'dist'))
  await compile(join(client, 'tsconfig.commonjs.json'), join(cwd, 'dist/commonjs'))
  await writeFile(join(cwd, 'dist/commonjs/package.json'), '{ "type": "commonjs" }\n')
  const others = ['package.json', 'README.md', '../../LICENSE']
  for (const file of others) await cp(join(client, file), join(cwd, basename(file)))
  const manifest: Manifest = JSON.parse(await readFile(join(client, 'package.json'), 'utf8'))
  const file = `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`
  await writeArchive(join(folder, file), cwd, 'package', new Date('1985-10-26T08:15:00Z'))
  return { manifest, file }
}
