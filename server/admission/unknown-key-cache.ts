import { LRUCache } from 'lru-cache'
import { invalidKeyError } from '#domain/api-key/admission.policy.ts'
import type { Admission, KeyAdmission } from '#rest/ports.ts'

const unknownForMs = 60_000
/** About 150 bytes each. */
const unknownKeysMax = 20_000

/** A key that doesn't exist, or not any more. */
export const unknownKey: Admission = {
  admitted: false,
  tenantId: undefined,
  apiKeyId: undefined,
  error: invalidKeyError,
}

/**
 * Rejects a key that was unknown within the last minute without a look-up. A key can't be looked up before it exists,
 * because it is random, and a revoked one stays revoked; so an entry is never wrong, and needs no invalidation.
 */
export function cacheUnknownKeys(admission: KeyAdmission): KeyAdmission {
  const unknownUntil = new LRUCache<string, number>({ max: unknownKeysMax })
  return {
    async admit(request) {
      const { keyHash, now } = request
      if ((unknownUntil.get(keyHash) ?? 0) > now.getTime()) {
        return unknownKey
      }
      const admitted = await admission.admit(request)
      if (admitted.tenantId === undefined) unknownUntil.set(keyHash, now.getTime() + unknownForMs)
      return admitted
    },
  }
}
