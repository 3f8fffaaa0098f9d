import { decodeJwt, decodeProtectedHeader } from 'jose'
import { expect } from '../demo-assertion-error.ts'
import type { Fixture } from '../demo-context.ts'
import { shorten } from '../paint-json.ts'
import type { DemoTenant } from './make-tenant.ts'

/** The token taken apart, each claim with its meaning. */
export function explainToken(
  { screen }: Fixture,
  tenant: DemoTenant,
  { verificationId, token }: { verificationId: string; token: string },
): void {
  screen.part('What is in the token', 'Anyone can read it, so there is nothing personal in it.')
  const header = decodeProtectedHeader(token)
  const { iss, sub, aud, jti, iat, exp, over18, ...further } = decodeJwt(token)
  screen.note(`\n  ${shorten(token)}`)
  screen.rows([
    ['alg', String(header.alg), 'ECDSA on P-256 with SHA-256'],
    ['kid', String(header.kid), 'the published key that signed it'],
    ['iss', String(iss), 'this service'],
    ['sub', String(sub), 'the verificationId'],
    ['aud', String(aud), 'the tenant it was issued to'],
    ['jti', String(jti), 'its own identifier'],
    ['iat', time(iat), 'issued at'],
    ['exp', time(exp), 'expires at'],
    ['over18', String(over18), 'whether the person is 18 or over'],
  ])
  expect(header.alg === 'ES256', 'The token is not signed with ES256.')
  expect(
    sub === verificationId && aud === tenant.tenantId,
    'The token is for another verification or tenant.',
  )
  expect(over18 === true, 'The token does not say that the person is over 18.')
  expect(
    Object.keys(further).length === 0,
    `The token has unknown claims: ${Object.keys(further).join(', ')}.`,
  )
  screen.right('It belongs to this verification and says that the person is 18 or over.')
}

function time(seconds: number | undefined): string {
  return seconds === undefined ? 'missing' : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}
