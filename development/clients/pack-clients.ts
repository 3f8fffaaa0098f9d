import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packPythonClient } from './pack-python-client.ts'
import { packTypeScriptClient } from './pack-typescript-client.ts'
import { type PackedClient, root } from './packed-client.ts'

const releasedFolder = join(root, 'clients/released')
const checksumsFile = join(root, 'clients/SHA256SUMS')

/** Packs both clients as their sources are, without a network. The same sources make the same bytes on every machine. */
export async function packClients(): Promise<{ tarball: PackedClient; wheel: PackedClient }> {
  const [tarball, wheel] = await Promise.all([
    packTypeScriptClient(join(root, 'clients/typescript')),
    packPythonClient(join(root, 'clients/python')),
  ])
  return { tarball, wheel }
}

/** `npm run release-clients`: replaces what the service offers by what the sources pack, and keeps the checksums of earlier releases. */
if (import.meta.main) {
  await rm(releasedFolder, { recursive: true, force: true })
  await mkdir(releasedFolder)
  const packed = Object.values(await packClients())
  for (const { name, bytes } of packed) await writeFile(join(releasedFolder, name), bytes)
  const earlier = (await readFile(checksumsFile, 'utf8')).split('\n')
  const kept = earlier.filter(line => line !== '' && !packed.some(({ name }) => line.endsWith(`  ${name}`)))
  const sums = packed.map(({ name, bytes }) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}`)
  await writeFile(checksumsFile, `${[...kept, ...sums].join('\n')}\n`)
}
