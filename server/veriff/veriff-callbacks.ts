import type { ProviderCallbacks } from '#rest/ports.ts'
import { readResult } from './read-result.ts'
import { assertCredentials, hasCredentials, isAuthentic, type VeriffCredentials } from './signature.ts'

/** Throws a `TypeError` for incomplete credentials. */
export function createVeriffCallbacks(credentials: VeriffCredentials): ProviderCallbacks {
  assertCredentials(credentials)
  return {
    hasCredentials: headers => hasCredentials(headers, credentials),
    isAuthentic: (headers, rawBody) => isAuthentic(headers, rawBody, credentials),
    read: readResult,
  }
}
