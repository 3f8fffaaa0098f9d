import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PackedClients, packClients } from '#development/clients/pack-clients.ts'

export interface Packed extends PackedClients {
  folder: string
}

/** Both clients as their sources are, which is what the next release would have. */
export async function packClientsOnce(closing: AsyncDisposableStack): Promise<Packed> {
  const { path: folder } = closing.use(await mkdtempDisposable(join(tmpdir(), 'age-verification-clients-')))
  return { folder, ...(await packClients(folder)) }
}
