import { LRUCache } from 'lru-cache'
import { hashKeyValue } from '#domain/api-key/key-value.ts'
import type { KeyAdmission } from '#rest/ports.ts'

/** About 250 bytes each. */
const keysMax = 20_000

/** Whose the API keys are that this process has admitted, so that all keys of a tenant are one client. It grants nothing. */
export class TenantsOfKeys {
  readonly #tenantIds = new LRUCache<string, string>({ max: keysMax })

  tenantOf(key: string): string | undefined {
    return this.#tenantIds.get(hashKeyValue(key))
  }

  /** The same admission, from which the tenants are learned. */
  learnFrom({ admit }: KeyAdmission): KeyAdmission {
    return {
      admit: async request => {
        const admitted = await admit(request)
        if (admitted.tenantId === undefined) this.#tenantIds.delete(request.keyHash)
        else if (!this.#tenantIds.has(request.keyHash))
          this.#tenantIds.set(request.keyHash, admitted.tenantId)
        return admitted
      },
    }
  }
}
