import { z } from 'zod'
import { publishedKeys } from '#domain/signing-key/published-keys.ts'
import type { OpenEndpoint } from '../endpoint.ts'

export const jwks: OpenEndpoint = {
  method: 'GET',
  path: '/.well-known/jwks.json',
  summary: 'Read the public keys',
  description: 'The keys (JWK Set) by which age tokens can be verified offline, retired ones included.',
  access: { by: 'anyone' },
  maxAgeSeconds: 60,
  answer: {
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
}
