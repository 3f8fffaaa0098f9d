import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packPythonClient } from './pack-python-client.ts'
import { packTypeScriptClient } from './pack-typescript-client.ts'
import { type PackedClient, root } from './packed-client.ts'

const releasedFolder = join(root, 'clients/released')

/** Packs both clients as their sources are, without a network. The same sources make the same bytes on every machine. */
export async function packClients(): Promise<{ tarball: PackedClient; wheel: PackedClient }> {
  const [tarball, wheel] = await Promise.all([
    packTypeScriptClient(join(root, 'clients/typescript')),
    packPythonClient(join(root, 'clients/python')),
  ])
  return { tarball, wheel }
}

/** `npm run release-clients`: replaces what the service offers by what the sources pack. */
if (import.meta.main) {
  await rm(releasedFolder, { recursive: true, force: true })
  await mkdir(releasedFolder)
  for (const { name, bytes } of Object.values(await packClients()))
    await writeFile(join(releasedFolder, name), bytes)
}
