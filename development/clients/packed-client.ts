import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/** A file that tenants keep. */
export interface PackedClient {
  name: string
  bytes: Buffer
}
