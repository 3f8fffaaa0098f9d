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
  verb: 'publishedKeys',
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
  handle: async ({ scope }) => ({ keys: await sharedKeys(scope) }),
})

/** Not cached any longer: a compromised key is omitted immediately. */
const cachedMs = 0

type KeyLoader = (scope: Scope, nowMs: number) => Promise<PublishedKey[]>

/** Concurrent requests on a database share one statement, so that requests of anyone cost it little. */
const loaders = new WeakMap<Scope['pool'], KeyLoader>()

function sharedKeys(scope: Scope): Promise<PublishedKey[]> {
  const load = loaders.get(scope.pool) ?? cacheBriefly(cachedMs, publishedKeys)
  loaders.set(scope.pool, load)
  return load(scope, scope.now.getTime())
}
