import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cp,
  mkdir,
  mkdtemp,
  mkdtempDisposable,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { create } from 'tar'
import { errorCatalogue } from '#domain/error-codes.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const compiler = join(root, 'node_modules/typescript/bin/tsc')

/**
 * Makes what `/docs/downloads` serves, without a network: the packed clients, the test vectors, the types of the console's
 * API, and the checksums. The same sources make the same bytes. Two builds at once don't disturb each other.
 */
async function buildDownloads(folder: string): Promise<void> {
  const work = await mkdtemp(`${folder}-`)
  try {
    const made = join(work, 'made')
    await mkdir(made)
    await packTypeScriptClient(work, made)
    await packPythonModule(made)
    await copyTestVectors(made)
    await writeConsoleTypes(made)
    await writeFile(join(made, 'SHA256SUMS'), await listChecksums(made))
    await replaceFiles(made, folder)
  } finally {
    await rm(work, { recursive: true })
  }
}

/** As `npm pack` in its folder, whose `dist` it leaves alone. */
async function packTypeScriptClient(work: string, made: string): Promise<void> {
  const client = join(root, 'clients/typescript')
  const dist = join(work, 'client/dist')
  await compile(client, dist)
  await compile(join(client, 'tsconfig.commonjs.json'), join(dist, 'commonjs'))
  await writeFile(join(dist, 'commonjs/package.json'), '{ "type": "commonjs" }\n')
  for (const file of ['package.json', 'README.md', '../../LICENSE'])
    await cp(join(client, file), join(work, 'client', basename(file)))
  const pack = ['pack', '--ignore-scripts', '--pack-destination', made]
  await run('npm', pack, { cwd: join(work, 'client') })
}

/** In one thread: how the compiler names a type can depend on which of several threads gets to it first. */
async function compile(project: string, output: string): Promise<void> {
  await run(process.execPath, [compiler, '-p', project, '--outDir', output, '--singleThreaded'])
}

/** A source distribution, which `pip` builds itself. */
async function packPythonModule(made: string): Promise<void> {
  const cwd = join(root, 'clients/python')
  const [, name] = /^name = "(.+)"$/m.exec(await readFile(join(cwd, 'pyproject.toml'), 'utf8'))!
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const prefix = `${name!.replaceAll('-', '_')}-${version}`
  const sources = (await readdir(cwd, { recursive: true })).filter(file => /\.(py|toml|md|typed)$/.test(file))
  const file = join(made, `${prefix}.tar.gz`)
  await create({ file, cwd, prefix, gzip: true, portable: true, mtime: new Date(0) }, sources.toSorted())
}

async function copyTestVectors(made: string): Promise<void> {
  const vectors = join(root, 'clients/test-vectors')
  const files = (await readdir(vectors)).filter(file => file.endsWith('.json'))
  await Promise.all(files.map(file => cp(join(vectors, file), join(made, file))))
}

/** What the compiler makes of the router names three types of other files; these stand for them. */
const namedTypes: Record<string, string> = {
  'import("./context.ts").ConsoleContext': 'object',
  'import("./trpc.ts").ProcedureMeta': '{ right: string }',
  'import("./errors.ts").ConsoleErrorData': 'ConsoleErrorData',
}
const consoleTypesHead = `// The console API of the Age Verification Service, for clients of @trpc/client 11. It needs the types of @trpc/server.

export interface ConsoleErrorData {
  code: string
  httpStatus: number
  /** The called procedure; undefined if the request could not be parsed. */
  path: string | undefined
  error: ${Object.keys(errorCatalogue)
    .map(code => `'${code}'`)
    .join(' | ')}
  requestId: string | undefined
  details: Record<string, unknown> | undefined
}

`

/**
 * One file without imports of ours. It is compiled outside of the folders that `imports` of package.json names, by which the
 * compiler could otherwise call the types of packages.
 */
async function writeConsoleTypes(made: string): Promise<void> {
  await using output = await mkdtempDisposable(join(tmpdir(), 'console-types-'))
  await compile(join(root, 'console-api'), output.path)
  let types = await readFile(join(output.path, 'console-api/router.d.ts'), 'utf8')
  for (const [name, type] of Object.entries(namedTypes)) types = types.replaceAll(name, type)
  const others = types.match(/import\("[.#].*?"\)\.\w+|^import .*$/gm)
  if (others) throw new Error(`The console's types name other files: ${others.join(', ')}`)
  await writeFile(join(made, 'console-api.d.ts'), consoleTypesHead + types)
}

/** As `sha256sum` prints them. */
async function listChecksums(folder: string): Promise<string> {
  const files = (await readdir(folder)).toSorted()
  const lines = files.map(async file => {
    const digest = createHash('sha256').update(await readFile(join(folder, file)))
    return `${digest.digest('hex')}  ${file}\n`
  })
  return (await Promise.all(lines)).join('')
}

/** Files of an earlier version go. */
async function replaceFiles(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  const names = await readdir(from)
  for (const name of names) await rename(join(from, name), join(to, name))
  const others = (await readdir(to)).filter(name => !names.includes(name))
  for (const name of others) await rm(join(to, name), { force: true })
}

await buildDownloads(join(root, 'clients/dist'))
