import type { ProviderCallbacks } from '#rest/ports.ts'
import { readResult } from './read-result.ts'
import { assertCredentials, isAuthentic, type VeriffCredentials } from './signature.ts'

/** Throws a `TypeError` for incomplete credentials. */
export function createVeriffCallbacks(credentials: VeriffCredentials): ProviderCallbacks {
  assertCredentials(credentials)
  return {
    isAuthentic: (headers, rawBody) => isAuthentic(headers, rawBody, credentials),
    read: readResult,
  }
}
