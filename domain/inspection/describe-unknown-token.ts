import { validate } from 'uuid'
import { isRetained } from '../retention.policy.ts'
import type { TenantScope } from '../scope.ts'
import {
  ageTokenHeader,
  readClaims,
  signingAlgorithm,
  type TokenSource,
  toAgeToken,
} from '../signing-key/age-token.ts'
import { tokenIssuer } from '../tenant/test-tenant.policy.ts'
import { isSame } from '../token/validate-token.ts'
import { findTimeline } from '../verification/get-verification-timeline.ts'

type Part = Record<string, unknown>

/** A text and its parts, which are null where they cannot be decoded. */
interface UnknownToken {
  token: string
  header: Part | null
  claims: Part | null
}

/**
 * Why a text is not a token of the tenant, and what to do. What is stored is compared only where it is the tenant's own:
 * of others, it says what the text says.
 */
export async function describeUnknownToken(
  scope: TenantScope,
  { token, header, claims }: UnknownToken,
): Promise<string> {
  if (!header || !claims) return describeUnreadable(token, header)
  const stored = claims.aud === scope.actor.tenantId ? await findOwn(scope, String(claims.sub)) : undefined
  if (stored && isSame(token, toAgeToken(stored))) {
    return "Its signing key isn't stored, as for all sample data: it is never valid. Complete a verification to get a token that is."
  }
  return (
    describeOrigin(scope, header, claims) ??
    describeLength(token) ??
    describeChanges(stored, { ...header, ...claims })
  )
}

/** The verification of the tenant that a token names, with what its token is made from. */
async function findOwn(scope: TenantScope, verificationId: string): Promise<TokenSource | undefined> {
  if (!validate(verificationId) || !isRetained(scope, verificationId)) return undefined
  const { tenantId } = scope.actor
  const [row] = await findTimeline(scope.pool, { tenantId, verificationId })
  return row && { ...row, tenantId }
}

function describeUnreadable(token: string, header: Part | null): string {
  if (!token.startsWith('eyJ')) {
    return 'This is not a JSON Web Token: three parts of base64url with dots between them. Paste the whole token, which begins with eyJ.'
  }
  const parts = token.split('.').length
  if (parts < 3) return `The token is cut off: it has ${parts} of its 3 parts. Copy all of it.`
  return `Its ${header ? 'claims' : 'header'} can't be read: characters are missing or were changed. Copy all of it again.`
}

/** Of what this service does not issue, or not to this tenant. */
function describeOrigin({ actor, rules }: TenantScope, header: Part, { iss, aud }: Part): string | undefined {
  const { alg } = header
  if (String(alg).toLowerCase() === 'none') {
    return "It is not signed: its header says alg none, so anybody can have written it. Don't accept it."
  }
  if (iss === undefined)
    return "Don't accept it. It names no issuer (iss), so it is not an age token of this service."
  const issuers = [tokenIssuer(rules, false), tokenIssuer(rules, true)]
  if (!issuers.includes(String(iss))) {
    return `Don't accept it here: nothing distinguishes it from a forged one. It names the issuer ${iss}, and this service is ${rules.baseUrl}. If it comes from there, validate it there.`
  }
  if (alg !== signingAlgorithm) {
    return `Its header says alg ${alg}, and this service signs with ${signingAlgorithm}: its header was changed, or it is forged. Don't accept it.`
  }
  return aud === actor.tenantId
    ? undefined
    : `Don't accept it here: nothing distinguishes it from a forged one. It names the tenant ${aud}, and this one is ${actor.tenantId}. If it was issued to that one, validate it with an API key of that tenant.`
}

/** The characters of a signature by ES256: 64 bytes in base64url. */
const signatureLength = 86

function describeLength(token: string): string | undefined {
  const { length } = token.split('.')[2] ?? ''
  if (length === signatureLength) return undefined
  return length < signatureLength
    ? `The token is cut off: its signature has ${length} of ${signatureLength} characters. Copy all of it.`
    : `Its signature has ${length} characters, not ${signatureLength}: something stands behind the token. Copy the token alone.`
}

/** Beside the token that was issued for the verification that it names. */
function describeChanges(stored: TokenSource | undefined, given: Part): string {
  if (!stored) {
    return "Don't accept it: the verification that it names (sub) isn't stored. It was erased or has expired, or the token is forged."
  }
  const claims = readClaims(stored)
  if (!claims || stored.kid === null) {
    return "No token was issued for the verification that it names: this one is forged. Don't accept it."
  }
  const changed = differences({ ...ageTokenHeader(stored.kid), ...claims }, given)
  return changed.length > 0
    ? `It was changed after it was issued: ${changed.join(', ')}. Don't accept it.`
    : "Its signature was changed after it was issued; its claims were not. Copy all of it again, and don't accept it like this."
}

function differences(issued: Part, given: Part): string[] {
  const names = new Set([...Object.keys(issued), ...Object.keys(given)])
  return [...names].filter(name => JSON.stringify(issued[name]) !== JSON.stringify(given[name]))
}
