import { SignJWT } from 'jose'
import { boolean, nullable, text, timestamp } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { DomainError } from '../errors.ts'
import type { TenantScope } from '../scope.ts'
import { tokenIssuer } from '../tenant/test-tenant.policy.ts'
import { signingAlgorithm } from './age-token.ts'
import { ensureSigningKey } from './ensure-signing-key.ts'
import { signingKid } from './key-ring.ts'

/** The `typ` of each kind of record: no age token and no status list has it, so that none of them can pass for another. */
export type RecordType = 'age-evidence+jwt' | 'erasure-receipt+jwt'

/**
 * Signs what was done for the tenant with the key that signs its age tokens, as a JWS in the compact form; `test`: whether it is
 * a test tenant. It never expires. Throws `DATABASE_ERROR`.
 */
export async function signRecord(
  scope: TenantScope,
  typ: RecordType,
  record: object,
  test: boolean,
): Promise<string> {
  const { pool, cipher, keyRing, now, actor, rules } = scope
  // Of a database that no service has started on yet.
  await ensureSigningKey(pool, cipher, now, { test })
  const [signer] = await findRecordSigner(pool, { test, now })
  const key = signer && (await keyRing.key(signer.kid))
  if (!key) throw new DomainError('INTERNAL_ERROR', { cause: 'there is no signing key' })
  const { kid, lastIssuer } = signer
  // A command may not have the address of the service, so it takes that of the last tokens.
  const iss = (actor.kind === 'operator' ? lastIssuer : null) ?? tokenIssuer(rules, test)
  const claims = { iss, aud: actor.tenantId, iat: Math.floor(now.getTime() / 1000), ...record }
  const header = { alg: signingAlgorithm, kid, typ }
  return await new SignJWT(claims).setProtectedHeader(header).sign(key)
}

export const findRecordSigner = statement({
  name: 'find-record-signer',
  text: `select k.kid, (
     select s.issuer from token_signer s join signing_key o on o.kid = s.kid where o.test = :test order by s.id desc limit 1
   ) as "lastIssuer"
   from signing_key k where k.kid = ${signingKid(':test', ':now')}`,
  values: { test: boolean, now: timestamp },
  row: { kid: text, lastIssuer: nullable(text) },
})
