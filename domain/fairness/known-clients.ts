import { LRUCache } from 'lru-cache'

/**
 * Which tenants' credentials a process has seen, by their hashes: an overload costs tenants less than strangers. It admits
 * nobody. An entry takes about 250 bytes.
 */
export class KnownClients {
  readonly #tenantIds: LRUCache<string, string>

  constructor(max: number) {
    this.#tenantIds = new LRUCache({ max })
  }

  add(credentialHash: string, tenantId: string): void {
    this.#tenantIds.set(credentialHash, tenantId)
  }

  /** To be called for credentials that have ended. */
  remove(credentialHash: string): void {
    this.#tenantIds.delete(credentialHash)
  }

  has(credentialHash: string): boolean {
    return this.#tenantIds.has(credentialHash)
  }

  /** Whose credentials they are; undefined for those that were not seen yet, or have ended. */
  tenantOf(credentialHash: string): string | undefined {
    return this.#tenantIds.get(credentialHash)
  }
}
