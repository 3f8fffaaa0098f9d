import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** About 200 bytes each. */
const signInsMax = 20_000

/** The sign-ins of members that this process has served, by the hash of their header, with their tenant. They admit nobody. */
export class KnownSignIns {
  readonly #tenantIds = new LRUCache<string, string>({ max: signInsMax })

  add(authorization: string, tenantId: string): void {
    this.#tenantIds.set(hash('sha256', authorization), tenantId)
  }

  /** Whose member it is of; undefined for one that was not served yet. */
  tenantOf(authorization: string): string | undefined {
    return authorization === '' ? undefined : this.#tenantIds.get(hash('sha256', authorization))
  }
}
