import { z } from 'zod'
import { cacheBriefly } from '#domain/cache-briefly.ts'
import type { Scope } from '#domain/scope.ts'
import {
  keySetLifetimeSeconds,
  type PublishedKey,
  publishedKeys,
} from '#domain/signing-key/published-keys.ts'
import { openEndpoint } from '../endpoint.ts'

export const jwks = openEndpoint({
  method: 'GET',
  path: '/.well-known/jwks.json',
  summary: 'Retrieve the public keys',
  description:
    'A JWK Set for verifying age tokens offline. Includes a new key before it signs, and retired keys until the tokens that they signed have expired.',
  access: { by: 'anyone' },
  maxAgeSeconds: keySetLifetimeSeconds,
  response: {
    status: 200,
    description: 'The key set.',
    schema: z.object({
      keys: z.array(
        z.object({
          kty: z.string(),
          crv: z.string(),
          x: z.string(),
          y: z.string(),
          kid: z.string(),
          use: z.string(),
          alg: z.string(),
        }),
      ),
    }),
  },
  errors: [],
  handle: async ({ scope }) => ({ keys: await cachedKeys(scope) }),
})

/** How long the keys are cached, so that requests of anyone cost the database one statement a second. */
const cachedMs = 1_000

type KeyCache = (scope: Scope, nowMs: number) => Promise<PublishedKey[]>

/** One cache per database. */
const caches = new WeakMap<Scope['pool'], KeyCache>()

function cachedKeys(scope: Scope): Promise<PublishedKey[]> {
  const cache = caches.get(scope.pool) ?? cacheBriefly(cachedMs, publishedKeys)
  caches.set(scope.pool, cache)
  return cache(scope, scope.now.getTime())
}
