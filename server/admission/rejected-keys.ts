import { LRUCache } from 'lru-cache'
import { invalidKeyError } from '#domain/api-key/admission.policy.ts'
import type { Admission, AdmissionRequest } from '#rest/ports.ts'

const rejectedForMs = 60_000
/** About 200 bytes each. */
const rejectedMax = 20_000

/**
 * The keys that were unknown, revoked or expired within the last minute, whose rejection needs no look-up. A key can't be looked
 * up before it exists, because it is random, and one that has ended stays so; so a rejection is never wrong.
 */
export class RejectedKeys {
  readonly #rejections = new LRUCache<string, { rejection: Admission; at: number }>({ max: rejectedMax })

  get({ keyHash, now }: AdmissionRequest): Admission | undefined {
    const found = this.#rejections.get(keyHash)
    const ageMs = found ? now.getTime() - found.at : rejectedForMs
    return 0 <= ageMs && ageMs < rejectedForMs ? found?.rejection : undefined
  }

  /** Remembers a rejection, and returns whether the key has none of its own: it is unknown or has ended. */
  add({ keyHash, now }: AdmissionRequest, admission: Admission): boolean {
    if (admission.admitted || admission.error !== invalidKeyError) return false
    this.#rejections.set(keyHash, { rejection: admission, at: now.getTime() })
    return true
  }
}
