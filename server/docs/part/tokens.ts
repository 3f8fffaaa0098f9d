import { validationReasons } from '#domain/token/validate-token.ts'
import { html } from '../../html/html.ts'
import type { Part } from '../part.ts'
import { block, prose } from '../prose.ts'
import { table } from '../table.ts'

const reasons: Record<(typeof validationReasons)[number], string> = {
  OK: 'The token is valid.',
  TOKEN_EXPIRED: 'It is past its expiry.',
  TOKEN_REVOKED: 'It was revoked.',
  TOKEN_NOT_FOUND:
    'It does not exist here: malformed, with a wrong signature, unknown, or of another tenant.',
  UNDERAGE_OR_UNKNOWN: 'The verification was completed, but not that the person is 18 or over.',
}

const claims = [
  ['iss', 'this service’s address'],
  ['sub', 'the `verificationId`'],
  ['aud', 'your tenant’s identifier'],
  ['jti', 'the token’s own identifier'],
  ['iat, exp', 'when it was issued and when it expires, in seconds since 1970'],
  ['over18', 'whether the person is 18 or over'],
] as const

export function tokensPart(baseUrl: string): Part {
  return {
    id: 'tokens',
    title: 'Age tokens',
    content: html`<p>An approved verification has a JSON Web Token, signed with ES256. It holds nothing personal. <code>valid</code>, <code>over18</code> and the reason <code>OK</code> are true together or not at all, so looking at any one of them is enough.</p>
${table(
  'Claims',
  ['Claim', 'Meaning'],
  claims.map(([claim, meaning]) => [html`<code>${claim}</code>`, html`${prose(meaning)}`]),
)}
${table(
  'Reasons of POST /tokens/validate',
  ['Reason', 'Meaning'],
  validationReasons.map(reason => [html`<code>${reason}</code>`, html`${reasons[reason]}`]),
)}
<h3>Verify offline</h3>
<p>With the published keys, by any JWT library. Revocation cannot be seen this way.</p>
${block(
  'Node.js, with jose',
  `import { createRemoteJWKSet, jwtVerify } from 'jose'

const keys = createRemoteJWKSet(new URL('${baseUrl}/.well-known/jwks.json'))
const { payload } = await jwtVerify(token, keys, {
  issuer: '${baseUrl}',
  audience: TENANT_ID,
  algorithms: ['ES256'],
})
const isAdult = payload.over18 === true`,
)}`,
  }
}
