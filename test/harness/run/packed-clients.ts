import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packClients } from '#development/clients/pack-clients.ts'

/** Paths of both clients' files, packed as their sources are. */
export interface Packed {
  tarball: string
  wheel: string
}

export async function packClientsOnce(closing: AsyncDisposableStack): Promise<Packed> {
  const { path: folder } = closing.use(await mkdtempDisposable(join(tmpdir(), 'age-verification-clients-')))
  const { tarball, wheel } = await packClients()
  const paths = { tarball: join(folder, tarball.name), wheel: join(folder, wheel.name) }
  await writeFile(paths.tarball, tarball.bytes)
  await writeFile(paths.wheel, wheel.bytes)
  return paths
}
