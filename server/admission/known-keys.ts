import { LRUCache } from 'lru-cache'
import { invalidKeyError } from '#domain/api-key/admission.policy.ts'
import { hashKeyValue } from '#domain/api-key/key-value.ts'
import type { Admission, AdmissionRequest } from '#rest/ports.ts'

const invalidForMs = 60_000
/** About 200 bytes each. */
const invalidKeysMax = 20_000
/** About 250 bytes each. */
export const foundKeysMax = 50_000

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

  /** Whether it was found before. */
  has(keyHash: string): boolean {
    return this.#tenantIds.has(keyHash)
  }

  /**
   * The rejection of a key that was unknown, revoked or expired within the last minute, which needs no look-up. A key can't be
   * looked up before it exists, because it is random, and one that has ended stays so; so a rejection is never wrong, and needs
   * no invalidation.
   */
  rejectionOf({ keyHash, now }: AdmissionRequest): Admission | undefined {
    const invalid = this.#invalid.get(keyHash)
    const ageMs = invalid ? now.getTime() - invalid.at : invalidForMs
    return 0 <= ageMs && ageMs < invalidForMs ? invalid?.rejection : undefined
  }

  /** Remembers what was decided. */
  remember({ keyHash, now }: AdmissionRequest, admission: Admission): void {
    if (admission.key) this.#tenantIds.set(keyHash, admission.key.tenantId)
    if (admission.admitted || admission.error !== invalidKeyError) return
    this.#invalid.set(keyHash, { rejection: admission, at: now.getTime() })
  }
}
