import { z } from 'zod'
import { keySetLifetimeSeconds, publishedKeys } from '#domain/signing-key/published-keys.ts'
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
  handle: async ({ scope }) => ({ keys: await publishedKeys(scope) }),
})
