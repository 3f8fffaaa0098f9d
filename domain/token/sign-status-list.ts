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

export interface SignedStatusList {
  /** The key that signed it. */
  kid: string
  /** The encoded statuses. */
  lst: string
  issuedAtMs: number
  jwt: string
}

/**
 * The list as it is now: the signed one, if nothing has changed and clients that have it don't have to fetch it again yet;
 * otherwise it is signed anew. Throws `DATABASE_ERROR`.
 */
export async function renewStatusList(
  scope: Scope,
  key: StatusListKey,
  signed: SignedStatusList | undefined,
): Promise<SignedStatusList> {
  const list = await readList(scope, key)
  return signed && isCurrent(signed, list, scope.now.getTime()) ? signed : await sign(scope, list)
}

function isCurrent({ kid, lst, issuedAtMs }: SignedStatusList, list: StatusList, nowMs: number): boolean {
  const ageMs = nowMs - issuedAtMs
  return kid === list.kid && lst === list.lst && ageMs >= 0 && ageMs < statusListTtlSeconds * 1000
}

interface StatusList {
  /** The key that signs now. */
  kid: string
  issuer: string
  uri: string
  /** The encoded statuses. */
  lst: string
}

async function readList({ pool, now }: Scope, key: StatusListKey): Promise<StatusList> {
  const first = key.ordinal * statusListSize
  const values = { signer: key.signer, first, last: first + statusListSize - 1, now }
  const [row] = await findStatusList(pool, values)
  if (!row?.kid) throw new DomainError('INTERNAL_ERROR', { cause: 'there is no signing key' })
  const { kid, issuer, isCompromised, revoked } = row
  const lst = encodeStatuses(isCompromised ? 'all' : indexesIn(revoked))
  return { kid, issuer, uri: statusListUri(issuer, key), lst }
}

/** From the first index of the list. */
function indexesIn(revoked: Buffer): number[] {
  return Array.from({ length: revoked.length / 4 }, (_, at) => revoked.readInt32BE(at * 4) % statusListSize)
}

async function sign(
  { keyRing, now }: Scope,
  { kid, issuer, uri, lst }: StatusList,
): Promise<SignedStatusList> {
  const key = await keyRing.key(kid)
  if (!key) throw new DomainError('INTERNAL_ERROR', { cause: `there is no signing key ${kid}` })
  const iat = Math.floor(now.getTime() / 1000)
  const claims = {
    iss: issuer,
    sub: uri,
    iat,
    exp: iat + statusListLifetimeSeconds,
    ttl: statusListTtlSeconds,
    status_list: { bits: 1, lst },
  }
  const header = { alg: signingAlgorithm, kid, typ: statusListType }
  const jwt = await new SignJWT(claims).setProtectedHeader(header).sign(key)
  return { kid, lst, issuedAtMs: now.getTime(), jwt }
}

// The indexes, 4 bytes each. All tokens of a key are revoked that was compromised or is not stored any more.
export const findStatusList = statement({
  name: 'find-status-list',
  text: `select s.issuer, k.kid is null or k.compromised_at is not null as "isCompromised", ${signingKid} as kid,
     coalesce((select string_agg(int4send(r.status_index), '' order by r.status_index) from revoked_token r
       where r.signer = s.id and r.status_index between :first and :last), '') as revoked
   from token_signer s left join signing_key k on k.kid = s.kid where s.id = :signer`,
  values: { signer: smallint, first: int, last: int, now: timestamp },
  row: { issuer: text, isCompromised: boolean, kid: nullable(text), revoked: bytes },
})
