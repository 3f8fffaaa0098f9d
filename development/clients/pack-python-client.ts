import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import type { PackedClient } from './packed-client.ts'

type Files = Record<string, Buffer>

/** Packs a wheel of the package, without Python. */
export async function packPythonClient(client: string): Promise<PackedClient> {
  const project = readProject(await readFile(join(client, 'pyproject.toml'), 'utf8'))
  const sources = await readSources(client)
  const [, version] = /^VERSION = "(.+)"$/m.exec(String(sources['age_verification/version.py']))!
  const license = await readFile(join(client, '../../LICENSE'))
  const metadata = Buffer.from(describe(project, version!, await readFile(join(client, 'README.md'), 'utf8')))
  const stem = `${project.name.replaceAll('-', '_')}-${version}`
  return {
    name: `${stem}-py3-none-any.whl`,
    bytes: zipWheel(sources, `${stem}.dist-info`, { metadata, license }),
  }
}

/** The strings and lists of pyproject.toml, which on one line are JSON. Throws if one is missing or spans several. */
function readProject(toml: string) {
  const read = (key: string) => JSON.parse(new RegExp(`^${key} = (.+)$`, 'm').exec(toml)![1]!)
  return {
    name: read('name') as string,
    description: read('description') as string,
    requiresPython: read('requires-python') as string,
    dependencies: read('dependencies') as string[],
    offline: read('offline') as string[],
  }
}

async function readSources(client: string): Promise<Files> {
  const entries = await readdir(join(client, 'age_verification'))
  const names = entries.filter(name => /\.(py|typed)$/.test(name)).toSorted()
  const read = async (name: string) => [
    `age_verification/${name}`,
    await readFile(join(client, 'age_verification', name)),
  ]
  return Object.fromEntries(await Promise.all(names.map(read)))
}

/** The package's core metadata 2.1, which every pip reads. */
function describe(project: ReturnType<typeof readProject>, version: string, readme: string): string {
  return `Metadata-Version: 2.1
Name: ${project.name}
Version: ${version}
Summary: ${project.description}
License: Apache-2.0
License-File: LICENSE
Requires-Python: ${project.requiresPython}
${project.dependencies.map(each => `Requires-Dist: ${each}\n`).join('')}Provides-Extra: offline
${project.offline.map(each => `Requires-Dist: ${each}; extra == "offline"\n`).join('')}Description-Content-Type: text/markdown

${readme}`
}

/** A zip of the modules and of what says which they are, at the first time that a zip can have, in any time zone. */
function zipWheel(
  sources: Files,
  folder: string,
  { metadata, license }: Record<'metadata' | 'license', Buffer>,
): Buffer {
  const wheel = `Wheel-Version: 1.0\nGenerator: age-verification-service\nRoot-Is-Purelib: true\nTag: py3-none-any\n`
  const files: Files = {
    ...sources,
    [`${folder}/LICENSE`]: license,
    [`${folder}/METADATA`]: metadata,
    [`${folder}/WHEEL`]: Buffer.from(wheel),
  }
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64url')
  const record = Object.entries(files).map(
    ([path, bytes]) => `${path},sha256=${digest(bytes)},${bytes.length}\n`,
  )
  const all = { ...files, [`${folder}/RECORD`]: Buffer.from(`${record.join('')}${folder}/RECORD,,\n`) }
  return Buffer.from(zipSync(all, { level: 9, mtime: new Date(1980, 0, 1), os: 3, attrs: 0o100644 << 16 }))
}
