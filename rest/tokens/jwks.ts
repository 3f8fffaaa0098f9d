import { z } from 'zod'
import type { Scope } from '#domain/scope.ts'
import {
  keySetLifetimeSeconds,
  type PublishedKey,
  publishedKeys,
} from '#domain/signing-key/published-keys.ts'
import { testPath } from '#domain/tenant/test-tenant.policy.ts'
import { type OpenEndpoint, openEndpoint } from '../endpoint.ts'

const exampleKey = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  kid: 'x1Zq0mYtB3s',
  use: 'sig',
  alg: 'ES256',
}

const publicKey = z
  .object({
    kty: z.string().meta({ description: 'Key type.', example: exampleKey.kty }),
    crv: z.string().meta({ description: 'Curve.', example: exampleKey.crv }),
    x: z.string().meta({ description: 'x coordinate of the point, base64url.', example: exampleKey.x }),
    y: z.string().meta({ description: 'y coordinate of the point, base64url.', example: exampleKey.y }),
    kid: z.string().meta({
      description: 'Key id, the same as in the header of the tokens that it signed.',
      example: exampleKey.kid,
    }),
    use: z.string().meta({ description: 'What the key is used for.', example: exampleKey.use }),
    alg: z.string().meta({ description: 'Signature algorithm.', example: exampleKey.alg }),
  })
  .meta({ id: 'PublicKey', description: 'A public key that verifies age tokens.' })

const keySet = z
  .object({
    keys: z.array(publicKey).meta({ description: 'The keys, newest first.' }),
  })
  .meta({ id: 'KeySet', description: 'A JWK Set (RFC 7517).' })

const path = '/.well-known/jwks.json'

export const jwks = keySetEndpoint(false, {
  path,
  operationId: 'getJwks',
  tag: 'Age tokens',
  summary: 'Retrieve the public keys',
  description:
    'A JWK Set for verifying age tokens offline. Includes a new key before it signs, and retired keys until the tokens that they signed have expired.',
})

export const testJwks = keySetEndpoint(true, {
  path: `${testPath}${path}`,
  operationId: 'getTestJwks',
  tag: 'Test tenants',
  summary: 'Retrieve the public keys of test tenants',
  description:
    'The JWK Set for the age tokens of test tenants. No key of live tenants is in it, or the other way round.',
})

function keySetEndpoint(
  test: boolean,
  own: Pick<OpenEndpoint, 'path' | 'operationId' | 'tag' | 'summary' | 'description'>,
) {
  const pending = new WeakMap<Scope['pool'], Promise<PublishedKey[]>>()
  return openEndpoint({
    ...own,
    method: 'GET',
    maxAgeSeconds: keySetLifetimeSeconds,
    response: {
      status: 200,
      description: 'The key set.',
      schema: keySet,
    },
    errors: [],
    /**
     * Concurrent requests on a database share one statement, so that requests of anyone cost it little. The keys are not
     * cached any longer: a compromised one is omitted immediately.
     */
    async handle({ scope }) {
      const { pool } = scope
      const keys = pending.get(pool) ?? publishedKeys(scope, test).finally(() => pending.delete(pool))
      pending.set(pool, keys)
      return { keys: await keys }
    },
  })
}
