import { type CompactVerifyGetKey, createLocalJWKSet, createRemoteJWKSet, customFetch } from 'jose'
import { type ReadDocument, unusable } from './published-document.ts'

/** A new key is published for this long before it signs, and a compromised one is removed at once. */
const freshMs = 60_000

/** Within it, keys aren't read again for an unknown `kid`, which can come from anyone. */
const renewalIntervalMs = 10_000

/** While the service can't be reached, its keys are used up to this age. */
const usableMs = 3_600_000

/** The public keys of the service, cached. Throws a `ServiceConnectionError` if they can't be read. */
export function createKeySet(baseUrl: string, readDocument: ReadDocument): CompactVerifyGetKey {
  const path = '/.well-known/jwks.json'
  let read: { text: string; at: number } | undefined
  let failure: Error | undefined
  async function readKeys(): Promise<Response> {
    try {
      const text = await readDocument(path, 'application/json')
      createLocalJWKSet(JSON.parse(text))
      read = { text, at: Date.now() }
      failure = undefined
    } catch (error) {
      failure = unusable(path, error)
      if (!read || Date.now() >= read.at + usableMs) throw failure
    }
    return new Response(read.text)
  }
  const cached = { cacheMaxAge: freshMs, cooldownDuration: renewalIntervalMs, [customFetch]: readKeys }
  const keys = createRemoteJWKSet(new URL(baseUrl + path), cached)
  return async (header, token) => {
    try {
      return await keys(header, token)
    } catch (error) {
      // A key that is unknown since the last failure may be a new one.
      throw failure ?? error
    }
  }
}
