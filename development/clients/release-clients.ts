import { createHash } from 'node:crypto'
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { root } from './compile.ts'
import { type PackedClients, packClients } from './pack-clients.ts'

/** What was released stays here, unchanged: lock files name it for years. */
const releasedFolder = join(root, 'clients/released')

/**
 * Adds the clients, as their sources are, to what is released, unless these versions are there already. Throws if they are
 * there with other contents.
 */
async function releaseClients(): Promise<void> {
  await using work = await mkdtempDisposable(join(tmpdir(), 'clients-'))
  const packed = await packClients(work.path)
  const changed = await findChanged(packed, work.path)
  if (changed.length > 0) throw new Error(changed.join('\n'))
  const { typescript, python } = packed
  const now = new Date().toISOString()
  for (const file of [typescript.file, ...python.files]) {
    if (await readReleased(file)) continue
    const bytes = await readFile(join(work.path, file))
    // The file comes last: what is cut off is made again by the next run.
    await (file === typescript.file ? addToPackument : addToIndex)(packed, file, bytes, now)
    await writeFile(join(releasedFolder, file), bytes)
    console.log(`Released clients/released/${file}`)
  }
}

/** A sentence for each released file of the present versions from which the packed one differs. */
export async function findChanged({ typescript, python }: PackedClients, folder: string): Promise<string[]> {
  const versions: [file: string, source: string][] = [
    [typescript.file, 'clients/typescript/package.json and src/version.ts'],
    ...python.files.map((file): [string, string] => [file, 'clients/python/age_verification/version.py']),
  ]
  const sentences = versions.map(async ([file, source]) => {
    const released = await readReleased(file)
    if (!released || unpack(file, released).equals(unpack(file, await readFile(join(folder, file)))))
      return []
    return `${file} is released with other contents. Raise the version in ${source}; \`npm run release-clients\` releases it.`
  })
  return (await Promise.all(sentences)).flat()
}

/** Another zlib can compress the same archive to other bytes. */
function unpack(file: string, bytes: Buffer): Buffer {
  return file.endsWith('gz') ? gunzipSync(bytes) : bytes
}

async function readReleased(file: string): Promise<Buffer | undefined> {
  return await readFile(join(releasedFolder, file)).catch(({ code }) => {
    if (code !== 'ENOENT') throw new Error(`${file} can't be read: ${code}`)
    return undefined
  })
}

/** What npm's registry has of a package, but for the addresses of the files. */
async function addToPackument({ typescript }: PackedClients, tarball: string, bytes: Buffer, now: string) {
  const { manifest } = typescript
  const digest = (algorithm: string, encoding: 'hex' | 'base64') =>
    createHash(algorithm).update(bytes).digest(encoding)
  const dist = { tarball, integrity: `sha512-${digest('sha512', 'base64')}`, shasum: digest('sha1', 'hex') }
  await edit('npm.json', packument => ({
    ...packument,
    'dist-tags': { latest: highest([...Object.keys(packument.versions), manifest.version]) },
    versions: { ...packument.versions, [manifest.version]: { ...manifest, dist } },
    time: { ...packument.time, modified: now, [manifest.version]: now },
  }))
}

/** What an index of Python packages has of a project, in the JSON of PEP 691 and 700. */
async function addToIndex({ python }: PackedClients, filename: string, bytes: Buffer, now: string) {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const file = { filename, url: `../../docs/downloads/${filename}`, hashes: { sha256 }, size: bytes.length }
  const more = { 'requires-python': python.requiresPython, 'upload-time': now }
  await edit('simple.json', index => ({
    ...index,
    versions: [...new Set([...index.versions, python.version])],
    files: [...index.files.filter((each: typeof file) => each.filename !== filename), { ...file, ...more }],
  }))
}

/** Versions are three numbers. A release for an older line is not the latest. */
function highest(versions: string[]): string {
  return versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)!
}

// biome-ignore lint/suspicious/noExplicitAny: what this program wrote
async function edit(name: string, change: (value: any) => unknown): Promise<void> {
  const file = join(releasedFolder, name)
  const changed = change(JSON.parse(await readFile(file, 'utf8')))
  await writeFile(file, `${JSON.stringify(changed, null, 2)}\n`)
}

if (import.meta.main) await releaseClients()
