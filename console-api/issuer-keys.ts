import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, type RemoteJWKSet } from 'jose'
import { z } from 'zod'
import { DomainError } from '#domain/errors.ts'

interface IssuerKeysOptions {
  issuer: string
  fetch?: typeof fetch
}

/** Minimum time between two fetches of the keys: a new signing key is accepted within 20 s. */
const cooldownMs = 20_000
/** How often the keys are fetched: a withdrawn key is rejected within 35 s, the deadline included. */
const refreshMs = 30_000
/** How long known keys are accepted while they can't be fetched. */
const keysAgeMaxMs = 600_000
/** Timeout of each request to the issuer. */
const deadlineMs = 5_000

const discoveryDocument = z.looseObject({ issuer: z.string(), jwks_uri: z.url() })

/**
 * The issuer's public keys, fetched again when they are 30 s old, and for an unknown key id. Throws `INTERNAL_ERROR` if the
 * issuer is unavailable, which says nothing about the token.
 */
export function createIssuerKeys({ issuer, fetch = globalThis.fetch }: IssuerKeysOptions): JWTVerifyGetKey {
  let cached: Promise<RemoteJWKSet> | undefined
  let refreshedAt = Date.now()
  let refreshed: Promise<void> | undefined
  /** Discovered once for all requests. Concurrent requests share the attempt; after a failure the next one retries. */
  function keySet(): Promise<RemoteJWKSet> {
    cached ??= discoverKeySet().catch(error => {
      cached = undefined
      throw error
    })
    return cached
  }
  async function discoverKeySet(): Promise<RemoteJWKSet> {
    refreshedAt = Date.now()
    return createRemoteJWKSet(new URL(await discoverJwksUri(issuer, fetch)), {
      cooldownDuration: cooldownMs,
      cacheMaxAge: keysAgeMaxMs,
      timeoutDuration: deadlineMs,
      [customFetch]: fetch,
    })
  }
  /** All requests wait for it, so that none uses older keys. After a failure the known keys remain for the next 30 s. */
  async function refresh(keys: RemoteJWKSet): Promise<void> {
    if (Date.now() - refreshedAt >= refreshMs) {
      refreshedAt = Date.now()
      refreshed = keys.reload().catch(() => undefined)
    }
    await refreshed
  }
  return async (header, token) => {
    try {
      const findKey = await keySet()
      await refresh(findKey)
      return await findKey(header, token)
    } catch (error) {
      throw isTokenError(error) ? error : new DomainError('INTERNAL_ERROR', { cause: error })
    }
  }
}

export async function discoverJwksUri(issuer: string, fetch: typeof globalThis.fetch): Promise<string> {
  return (await readDiscoveryDocument(issuer, fetch)).jwks_uri
}

/** OpenID Connect Discovery 1.0, section 4. Throws if the document is unavailable, or another issuer's. */
export async function readDiscoveryDocument(issuer: string, fetch = globalThis.fetch) {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetch(url, { signal: AbortSignal.timeout(deadlineMs) })
  if (!response.ok) {
    // Unread, it would keep its connection.
    await response.body?.cancel()
    throw new Error(`The issuer's discovery document returned status ${response.status}.`)
  }
  const found = discoveryDocument.parse(await response.json())
  if (found.issuer !== issuer)
    throw new Error(`The discovery document is of another issuer: ${found.issuer}.`)
  return found
}

/** Errors of the token, not of the issuer: its key id is unknown, ambiguous or unsupported. */
function isTokenError(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  )
}
