import { execFile } from 'node:child_process'
import { chmod, cp, mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'fflate'
import { create } from 'tar'
import { type PackedClient, root } from './packed-client.ts'

/** What `npm pack` would pack, at the same time of 1985, without the npm or the zlib of whoever packs it. */
export async function packTypeScriptClient(client: string): Promise<PackedClient> {
  await using staged = await mkdtempDisposable(join(tmpdir(), 'client-'))
  const cwd = staged.path
  await compile(client, join(cwd, 'dist'))
  await compile(join(client, 'tsconfig.command.json'), join(cwd, 'dist'))
  await compile(join(client, 'tsconfig.commonjs.json'), join(cwd, 'dist/commonjs'))
  await writeFile(join(cwd, 'dist/commonjs/package.json'), '{ "type": "commonjs" }\n')
  for (const file of ['package.json', 'README.md', '../../LICENSE'])
    await cp(join(client, file), join(cwd, basename(file)))
  const { name, version } = JSON.parse(await readFile(join(client, 'package.json'), 'utf8'))
  const entries = await readdir(cwd, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile())
  const paths = files.map(entry => relative(cwd, join(entry.parentPath, entry.name))).toSorted()
  // A umask doesn't count.
  for (const path of paths) await chmod(join(cwd, path), 0o644)
  const mtime = new Date('1985-10-26T08:15:00Z')
  const archive = await create({ cwd, prefix: 'package', portable: true, mtime }, paths).concat()
  return {
    name: `${name.replace('@', '').replace('/', '-')}-${version}.tgz`,
    bytes: Buffer.from(gzipSync(archive, { level: 9, mtime: 0 })),
  }
}

/** In one thread: how the compiler names a type can depend on which of several threads gets to it first. */
async function compile(project: string, output: string): Promise<void> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const args = ['-p', project, '--outDir', output, '--singleThreaded']
  await promisify(execFile)(process.execPath, [compiler, ...args])
}
