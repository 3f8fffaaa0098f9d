import { SignJWT } from 'jose'
import { boolean, jsonOf, nullable, text, timestamp } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { DomainError } from '../errors.ts'
import type { TenantScope } from '../scope.ts'
import { signingAlgorithm } from '../signing-key/age-token.ts'
import { ensureSigningKey } from '../signing-key/ensure-signing-key.ts'
import { signingKid } from '../signing-key/key-ring.ts'
import type { PublishedKey } from '../signing-key/published-keys.ts'
import { tokenIssuer } from '../tenant/test-tenant.policy.ts'

/** The `typ` that no age token and no status list has, so that none of them can pass for another. */
export const evidenceType = 'age-evidence+jwt'

/** Evidence as a JWS in the compact form, and the key that verifies it. */
export interface EvidenceSignature {
  jws: string
  jwks: { keys: PublishedKey[] }
}

/** Signs evidence of the tenant with the key that signs its age tokens. It never expires. Throws `DATABASE_ERROR`. */
export async function signEvidence(
  scope: TenantScope,
  evidence: object,
  test: boolean,
): Promise<EvidenceSignature> {
  const { pool, cipher, keyRing, now, actor, rules } = scope
  // Of a database that no service has started on yet.
  await ensureSigningKey(pool, cipher, now, { test })
  const [signer] = await findEvidenceSigner(pool, { test, now })
  const key = signer && (await keyRing.key(signer.kid))
  if (!key) throw new DomainError('INTERNAL_ERROR', { cause: 'there is no signing key' })
  const { kid, publicJwk, lastIssuer } = signer
  // A command may not have the address of the service, so it takes that of the last tokens.
  const iss = (actor.kind === 'operator' ? lastIssuer : null) ?? tokenIssuer(rules, test)
  const claims = { iss, aud: actor.tenantId, iat: Math.floor(now.getTime() / 1000), ...evidence }
  const header = { alg: signingAlgorithm, kid, typ: evidenceType }
  const jws = await new SignJWT(claims).setProtectedHeader(header).sign(key)
  return { jws, jwks: { keys: [publicJwk] } }
}

export const findEvidenceSigner = statement({
  name: 'find-evidence-signer',
  text: `select k.kid, k.public_jwk as "publicJwk", (
     select s.issuer from token_signer s join signing_key o on o.kid = s.kid where o.test = :test order by s.id desc limit 1
   ) as "lastIssuer"
   from signing_key k where k.kid = ${signingKid(':test', ':now')}`,
  values: { test: boolean, now: timestamp },
  row: { kid: text, publicJwk: jsonOf<PublishedKey>(), lastIssuer: nullable(text) },
})
