import { validationReasons } from '#domain/token/validate-token.ts'
import { html } from '../../html/html.ts'
import { codeBlock, prose } from '../prose.ts'
import type { Section } from '../section.ts'
import { table } from '../table.ts'

const reasons: Record<(typeof validationReasons)[number], string> = {
  OK: 'The token is valid.',
  TOKEN_EXPIRED: 'The token has expired.',
  TOKEN_REVOKED: 'The token was revoked.',
  TOKEN_NOT_FOUND:
    'The token is malformed, has an invalid signature, is unknown, or belongs to another tenant.',
  UNDERAGE_OR_UNKNOWN:
    'The verification was approved, but the person could not be confirmed to be 18 or over.',
}

const claims = [
  ['iss', 'The address of this service.'],
  ['sub', 'The `verificationId`.'],
  ['aud', 'The identifier of your tenant.'],
  ['jti', 'The identifier of the token.'],
  ['iat, exp', 'When the token was issued and when it expires, as Unix timestamps in seconds.'],
  ['over18', 'Whether the person is 18 or over.'],
  ['status', 'The address of its status list, and its place in the list, for offline verification.'],
] as const

export function tokensSection(baseUrl: string): Section {
  return {
    id: 'tokens',
    title: 'Age tokens',
    content: html`<p>An approved verification has an age token: a JSON Web Token signed with ES256, without personal data. When you validate it, <code>valid</code> and <code>over18</code> are both <code>true</code> if <code>reason</code> is <code>OK</code>, and both <code>false</code> otherwise, so checking any one of them is sufficient.</p>
${table(
  'Claims',
  ['Claim', 'Description'],
  claims.map(([claim, meaning]) => [html`<code>${claim}</code>`, html`${prose(meaning)}`]),
)}
${table(
  'Reasons returned by POST /tokens/validate',
  ['Reason', 'Description'],
  validationReasons.map(reason => [html`<code>${reason}</code>`, html`${reasons[reason]}`]),
)}
<h3>Verify offline</h3>
<p>You can verify tokens with the published keys and any JWT library. To detect revoked tokens as well, fetch the status list that the claim <code>status</code> names (draft-ietf-oauth-status-list): a revocation is in it a few seconds later, and you may cache a list for its <code>ttl</code>, 5 minutes.</p>
${codeBlock(
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
