import type { IncomingHttpHeaders } from 'node:http'
import type { ProviderResult } from '#domain/verification/provider-result.ts'
import { readResult } from './read-result.ts'
import { assertCredentials, isAuthentic, type VeriffCredentials } from './signature.ts'

/** Reads the provider's callbacks. */
export interface CallbackReader {
  /** Whether the provider signed these very bytes. To be asked before they are parsed. */
  authentic(headers: IncomingHttpHeaders, rawBody: Buffer): boolean
  /**
   * What an authentic body says, without personal data; undefined where it is of no code or shape that we know,
   * which is no fault and changes nothing. Never throws.
   */
  read(body: unknown, now: Date): ProviderResult | undefined
}

export function createCallbackReader(credentials: VeriffCredentials): CallbackReader {
  assertCredentials(credentials)
  return {
    authentic: (headers, rawBody) => isAuthentic(headers, rawBody, credentials),
    read: readResult,
  }
}
