import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JSONWebKeySet,
  jwtVerify,
} from 'jose'
import { z } from 'zod'
import { DemoAssertionError, expect } from '../demo-assertion-error.ts'
import { exchange, parseAs } from '../http.ts'
import type { DemoContext } from '../open-service.ts'
import { runOperator } from '../operator.ts'
import { shorten } from '../screen.ts'
import type { DemoTenant } from './create-tenant.ts'

interface IssuedToken {
  verificationId: string
  token: string
}

/** Decodes the token and prints each claim with its meaning. */
export function explainToken(
  { screen }: DemoContext,
  tenant: DemoTenant,
  { verificationId, token }: IssuedToken,
): void {
  screen.step('Claims of the token', 'Anyone can decode it, so it contains no personal data.')
  const header = decodeProtectedHeader(token)
  const { iss, sub, aud, jti, iat, exp, over18, status, ...further } = decodeJwt(token)
  screen.note(`\n  ${shorten(token)}`)
  screen.rows([
    ['alg', String(header.alg), 'ECDSA on P-256 with SHA-256'],
    ['kid', String(header.kid), 'the published key that verifies it'],
    ['iss', String(iss), 'this service'],
    ['sub', String(sub), 'the verificationId'],
    ['aud', String(aud), 'the tenant it was issued to'],
    ['jti', String(jti), 'the token’s identifier'],
    ['iat', time(iat), 'issued at'],
    ['exp', time(exp), 'expires at'],
    ['over18', String(over18), 'whether the person is 18 or older'],
    ['status', JSON.stringify(status), 'where it is listed if it is revoked'],
  ])
  expect(header.alg === 'ES256', 'The token is not signed with ES256.')
  expect(
    sub === verificationId && aud === tenant.tenantId,
    'The token belongs to another verification or tenant.',
  )
  expect(over18 === true, 'The token’s claim over18 is not true.')
  expect(
    Object.keys(further).length === 0,
    `The token has undocumented claims: ${Object.keys(further).join(', ')}.`,
  )
  screen.passed('The token belongs to this verification, and over18 is true.')
}

function time(seconds: number | undefined): string {
  return seconds === undefined ? 'missing' : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}

const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })).min(1) })

/** The tenant verifies the token with the published keys, without calling the service for each token. */
export async function verifyOffline(
  { service, screen }: DemoContext,
  tenant: DemoTenant,
  token: string,
): Promise<void> {
  screen.step(
    'Verify the token offline',
    'With the published keys, in any JWT library. Revoked tokens are in their status list, which may be five minutes old.',
  )
  const { baseUrl } = service.addresses
  const response = await exchange(screen, 200, 'GET', `${baseUrl}/.well-known/jwks.json`)
  const keys = createLocalJWKSet(
    parseAs(keySet, response.json, 'GET /.well-known/jwks.json') as JSONWebKeySet,
  )
  const verify = (jwt: string) =>
    jwtVerify(jwt, keys, {
      issuer: baseUrl,
      audience: tenant.tenantId,
      algorithms: ['ES256'],
      requiredClaims: ['sub', 'jti', 'iat', 'exp', 'over18', 'status'],
    })
  try {
    await verify(token)
  } catch (error) {
    throw new DemoAssertionError(
      `The token cannot be verified with the published keys: ${(error as Error).message}`,
    )
  }
  screen.passed('Signature, issuer, audience and expiry are valid.')
  const rejected = await verify(withChangedClaim(token)).catch((error: unknown) => error)
  expect(
    rejected instanceof errors.JWSSignatureVerificationFailed,
    'A token with a changed claim was not rejected.',
  )
  screen.passed('The same token with a changed claim is rejected.')
}

/** Keeps the signature and changes the expiry. */
function withChangedClaim(token: string): string {
  const [header, payload, signature] = token.split('.')
  const claims: object = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString())
  const changed = JSON.stringify({ ...claims, exp: 4_102_444_800 })
  return [header, Buffer.from(changed).toString('base64url'), signature].join('.')
}

/** The tenant's backend has the service validate the token, for example when the user returns. */
export async function validateToken(context: DemoContext, tenant: DemoTenant, token: string): Promise<void> {
  context.screen.step('Validate the token online', 'The service also checks for revocation.')
  await expectValidity(context, tenant, token, { valid: true, over18: true, reason: 'OK' })
  context.screen.passed('The token is valid.')
}

/** The operator revokes the token; it is invalid from then on. */
export async function revokeToken(
  context: DemoContext,
  tenant: DemoTenant,
  { verificationId, token }: IssuedToken,
): Promise<void> {
  const { service, screen } = context
  screen.step(
    'Revoke the token',
    'The operator revokes it here; members of the tenant can do so in the dashboard.',
  )
  const revoked = z.object({
    verificationId: z.literal(verificationId),
    jti: z.string(),
    revokedAt: z.iso.datetime(),
  })
  const args = ['token', 'revoke', '--verification', verificationId]
  screen.rows(Object.entries(await runOperator(service, args, revoked, screen)))
  await expectValidity(context, tenant, token, { valid: false, over18: false, reason: 'TOKEN_REVOKED' })
  screen.passed('The token is rejected immediately.')
}

interface Validity {
  valid: boolean
  over18: boolean
  reason: string
}

/** Validates the token online. Throws a `DemoAssertionError` unless the response is as expected. */
export async function expectValidity(
  { service, screen }: DemoContext,
  tenant: DemoTenant,
  token: string,
  { valid, over18, reason }: Validity,
): Promise<void> {
  const response = await exchange(screen, 200, 'POST', `${service.addresses.baseUrl}/tokens/validate`, {
    headers: { 'x-tenant-api-key': tenant.apiKey, 'content-type': 'application/json' },
    json: { token },
  })
  const expected = z.object({
    valid: z.literal(valid),
    over18: z.literal(over18),
    reason: z.literal(reason),
  })
  parseAs(expected, response.json, 'POST /tokens/validate')
}
