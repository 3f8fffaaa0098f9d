import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import { DomainError } from '#domain/errors.ts'

interface IssuerKeysOptions {
  issuer: string
  jwksUri?: string
  fetch?: typeof fetch
}

/** How soon the keys may be looked up again for an unknown one: a new key is accepted within this, 20 s. */
const cooldownMs = 20_000
/** How long known keys are trusted without a look. */
const keysAgeMaxMs = 600_000
/** For each request to the issuer. */
const deadlineMs = 5_000

const discoveryDocument = z.object({ issuer: z.string(), jwks_uri: z.url() })

/**
 * The issuer's public keys, cached, looked up again for an unknown one. Throws `INTERNAL_ERROR` when the
 * issuer can't be asked: that says nothing about the token.
 */
export function createIssuerKeys({
  issuer,
  jwksUri,
  fetch = globalThis.fetch,
}: IssuerKeysOptions): JWTVerifyGetKey {
  let known: Promise<JWTVerifyGetKey> | undefined
  /** Found once for all requests; those that come meanwhile wait for it, and the next one after a failure tries anew. */
  function keySet(): Promise<JWTVerifyGetKey> {
    known ??= findKeySet().catch(error => {
      known = undefined
      throw error
    })
    return known
  }
  async function findKeySet(): Promise<JWTVerifyGetKey> {
    const address = jwksUri ?? (await discoverJwksUri(issuer, fetch))
    return createRemoteJWKSet(new URL(address), {
      cooldownDuration: cooldownMs,
      cacheMaxAge: keysAgeMaxMs,
      timeoutDuration: deadlineMs,
      [customFetch]: fetch,
    })
  }
  return async (header, token) => {
    try {
      const findKey = await keySet()
      return await findKey(header, token)
    } catch (error) {
      throw isTokensFault(error) ? error : new DomainError('INTERNAL_ERROR', { cause: error })
    }
  }
}

/** OpenID Connect Discovery 1.0, section 4. */
async function discoverJwksUri(issuer: string, fetch: typeof globalThis.fetch): Promise<string> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetch(address, { signal: AbortSignal.timeout(deadlineMs) })
  if (!response.ok) throw new Error(`The issuer's discovery document answered ${response.status}.`)
  const found = discoveryDocument.parse(await response.json())
  if (found.issuer !== issuer) throw new Error(`The discovery document is that of ${found.issuer}.`)
  return found.jwks_uri
}

/** The keys are there, but the token names none of them, or one that can't be told from others. */
function isTokensFault(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  )
}
