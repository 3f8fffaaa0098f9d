import { LRUCache } from 'lru-cache'
import { invalidKeyError } from '#domain/api-key/admission.policy.ts'
import type { EndLookUp } from '#domain/authentication-failures.ts'
import type { Admission, AdmissionRequest, KeyAdmission } from '#rest/ports.ts'

const invalidForMs = 60_000
/** About 200 bytes each. */
const invalidKeysMax = 20_000
/** About 150 bytes each. */
const foundKeysMax = 50_000

/** A key that doesn't exist, or not any more. */
export const unknownKey: Admission = {
  admitted: false,
  tenantId: undefined,
  apiKeyId: undefined,
  error: invalidKeyError,
}

/**
 * Rejects a key that was unknown, revoked or expired within the last minute without a look-up. A key can't be looked up
 * before it exists, because it is random, and one that has ended stays so; so an entry is never wrong, and needs no
 * invalidation. A key that was found before is looked up again whatever its client's address has done since.
 */
export function cacheUnknownKeys(admission: KeyAdmission): KeyAdmission {
  const invalid = new LRUCache<string, { rejection: Admission; at: number }>({ max: invalidKeysMax })
  const found = new LRUCache<string, true>({ max: foundKeysMax })
  return {
    async admit(request) {
      const { keyHash } = request
      const now = request.now.getTime()
      const known = invalid.get(keyHash)
      if (known && known.at <= now && now < known.at + invalidForMs) return known.rejection
      const isFound = found.get(keyHash)
      const result = await (isFound
        ? admission.admit({ ...request, beginLookUp: beginUnlimited })
        : admitOrLookUp(admission, request))
      if (!isFound && result.tenantId !== undefined) found.set(keyHash, true)
      if (!result.admitted && result.error === invalidKeyError)
        invalid.set(keyHash, { rejection: result, at: now })
      return result
    },
  }
}

async function beginUnlimited(): Promise<EndLookUp> {
  return () => {}
}

/** Every repetition of a look-up is the same one. */
async function admitOrLookUp(admission: KeyAdmission, request: AdmissionRequest): Promise<Admission> {
  let end: EndLookUp | undefined
  const beginLookUp = async () => {
    end ??= await request.beginLookUp()
    return end
  }
  let isUnknown = false
  try {
    const result = await admission.admit({ ...request, beginLookUp })
    isUnknown = result.tenantId === undefined
    return result
  } finally {
    end?.(isUnknown)
  }
}
