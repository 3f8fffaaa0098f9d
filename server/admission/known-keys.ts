import { LRUCache } from 'lru-cache'
import { invalidKeyError } from '#domain/api-key/admission.policy.ts'
import { hashKeyValue } from '#domain/api-key/key-value.ts'
import type { Admission, KeyAdmission } from '#rest/ports.ts'

const invalidForMs = 60_000
/** About 200 bytes each. */
const invalidKeysMax = 20_000
/** About 250 bytes each. */
export const foundKeysMax = 50_000

/** A key that doesn't exist. */
export const unknownKey: Admission = {
  admitted: false,
  tenantId: undefined,
  apiKeyId: undefined,
  error: invalidKeyError,
}

/** What this process remembers of the API keys that it has seen, by their hashes. It admits none of them. */
export class KnownKeys {
  readonly #invalid = new LRUCache<string, { rejection: Admission; at: number }>({ max: invalidKeysMax })
  readonly #tenantIds = new LRUCache<string, string>({ max: foundKeysMax })

  /** Adds keys that other processes, or this one before its start, have found; the one that was used last comes first. */
  add(keys: readonly { keyHash: string; tenantId: string }[]): void {
    for (const { keyHash, tenantId } of keys.toReversed()) this.#tenantIds.set(keyHash, tenantId)
  }

  /** Whose key it is; undefined for one that was not found yet, or that was invalid when it was used last. */
  tenantOf(key: string): string | undefined {
    const keyHash = hashKeyValue(key)
    return this.#invalid.has(keyHash) ? undefined : this.#tenantIds.get(keyHash)
  }

  /**
   * Rejects a key that was unknown, revoked or expired within the last minute without a look-up. A key can't be looked up
   * before it exists, because it is random, and one that has ended stays so; so a rejection is never wrong, and needs no
   * invalidation.
   */
  remember(admission: KeyAdmission): KeyAdmission {
    return {
      admit: async request => {
        const { keyHash } = request
        const now = request.now.getTime()
        const invalid = this.#invalid.get(keyHash)
        if (invalid && invalid.at <= now && now < invalid.at + invalidForMs) return invalid.rejection
        const result = await admission.admit(request)
        if (result.tenantId !== undefined) this.#tenantIds.set(keyHash, result.tenantId)
        if (!result.admitted && result.error === invalidKeyError) {
          this.#invalid.set(keyHash, { rejection: result, at: now })
        }
        return result
      },
    }
  }
}
