import { createLocalJWKSet, errors, type JSONWebKeySet, jwtVerify } from 'jose'
import { z } from 'zod'
import { DemoAssertionError, expect } from '../demo-assertion-error.ts'
import type { Fixture } from '../demo-context.ts'
import { exchange } from '../http.ts'
import { readAs } from '../read-as.ts'
import type { DemoTenant } from './make-tenant.ts'

const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })).min(1) })

/** The tenant verifies the token by itself, with the published keys. */
export async function verifyOffline(
  { service, screen }: Fixture,
  tenant: DemoTenant,
  token: string,
): Promise<void> {
  screen.part(
    'The token verified offline',
    'With the published keys, as any JWT library does it. Only revocation cannot be seen so.',
  )
  const { baseUrl } = service.addresses
  const answer = await exchange(screen, 200, 'GET', `${baseUrl}/.well-known/jwks.json`)
  const keys = createLocalJWKSet(readAs(keySet, answer.json, 'The key set') as JSONWebKeySet)
  const verify = (jwt: string) =>
    jwtVerify(jwt, keys, {
      issuer: baseUrl,
      audience: tenant.tenantId,
      algorithms: ['ES256'],
      requiredClaims: ['sub', 'jti', 'iat', 'exp', 'over18'],
    })
  try {
    await verify(token)
  } catch (error) {
    throw new DemoAssertionError(
      `The token cannot be verified with the published keys: ${(error as Error).message}`,
    )
  }
  screen.right('Signature, issuer, audience and expiry are right.')
  const refused = await verify(withOtherClaim(token)).catch((error: unknown) => error)
  expect(
    refused instanceof errors.JWSSignatureVerificationFailed,
    'A token with a changed claim was not refused.',
  )
  screen.right('The same token with one claim changed is refused.')
}

/** The same signature over other claims. */
function withOtherClaim(token: string): string {
  const [header, payload, signature] = token.split('.')
  const claims: object = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString())
  const changed = JSON.stringify({ ...claims, exp: 4_102_444_800 })
  return [header, Buffer.from(changed).toString('base64url'), signature].join('.')
}
