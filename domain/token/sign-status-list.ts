import { SignJWT } from 'jose'
import { boolean, bytes, int, nullable, smallint, text, timestamp } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { DomainError } from '../errors.ts'
import type { Scope } from '../scope.ts'
import { signingAlgorithm } from '../signing-key/age-token.ts'
import { signingKid } from '../signing-key/key-ring.ts'
import {
  encodeStatuses,
  type StatusListKey,
  statusListLifetimeSeconds,
  statusListSize,
  statusListTtlSeconds,
  statusListType,
  statusListUri,
} from '../signing-key/status-list.policy.ts'

/** The list as it is now, signed by the key that signs now, for test tenants or live ones. Throws `DATABASE_ERROR`. */
export async function signStatusList(
  { pool, keyRing, now }: Scope,
  list: StatusListKey,
  test: boolean,
): Promise<string> {
  const first = list.ordinal * statusListSize
  const values = { signer: list.signer, first, last: first + statusListSize - 1, now, test }
  const [row] = await findStatusList(pool, values)
  const key = row?.kid ? await keyRing.key(row.kid) : undefined
  if (!row?.kid || !key) throw new DomainError('INTERNAL_ERROR', { cause: 'there is no signing key' })
  const { kid, issuer, isCompromised, revoked } = row
  const iat = Math.floor(now.getTime() / 1000)
  const claims = {
    iss: issuer,
    sub: statusListUri(issuer, list),
    iat,
    exp: iat + statusListLifetimeSeconds,
    ttl: statusListTtlSeconds,
    status_list: { bits: 1, lst: encodeStatuses(isCompromised ? 'all' : readIndexes(revoked)) },
  }
  const header = { alg: signingAlgorithm, kid, typ: statusListType }
  return await new SignJWT(claims).setProtectedHeader(header).sign(key)
}

/** From the first index of the list. */
function readIndexes(revoked: Buffer): number[] {
  return Array.from({ length: revoked.length / 4 }, (_, at) => revoked.readInt32BE(at * 4) % statusListSize)
}

// The indexes, 4 bytes each. All tokens of a key are revoked that was compromised or is not stored any more.
export const findStatusList = statement({
  name: 'find-status-list',
  text: `select s.issuer, k.kid is null or k.compromised_at is not null as "isCompromised", ${signingKid('coalesce(k.test, :test)', ':now')} as kid,
     coalesce((select string_agg(int4send(r.status_index), '' order by r.status_index) from revoked_token r
       where r.signer = s.id and r.status_index between :first and :last), '') as revoked
   from token_signer s left join signing_key k on k.kid = s.kid where s.id = :signer`,
  values: { signer: smallint, first: int, last: int, now: timestamp, test: boolean },
  row: { issuer: text, isCompromised: boolean, kid: nullable(text), revoked: bytes },
})
