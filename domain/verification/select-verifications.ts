import {
  arrayOf,
  boolean,
  double,
  enumOf,
  int,
  nullable,
  type Typed,
  text,
  timestamp,
  uuid,
} from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { VerificationStatus } from '../verification-status.ts'
import { timeline, timelineColumn } from './timeline.ts'

/**
 * How many verifications a query examines at most, of those that no index tells apart: one after the other, or looked up
 * one by one, which takes longer. It ends earlier when the page is full.
 */
export const examinedMax = 10_000
export const lookedUpMax = 4_000

const status = enumOf<VerificationStatus>('verification_status')

/** Which of the tenant's verifications: `from` an id, itself included, `before` another one. Null is any. */
const values = {
  tenantId: uuid,
  from: uuid,
  before: uuid,
  limit: int,
  /** The statuses of open and of completed ones. */
  open: arrayOf(status),
  completed: arrayOf(status),
  /** The others are about completed ones only. */
  over18: nullable(text),
  reasonCode: nullable(text),
  completedFrom: nullable(timestamp),
  completedTo: nullable(timestamp),
}

const row = {
  id: uuid,
  status,
  confidence: nullable(double),
  over18: nullable(boolean),
  completedAt: nullable(timestamp),
  /** When its token was revoked, or the token's signing key was reported as compromised. */
  revokedAt: nullable(timestamp),
  timeline,
  matches: boolean,
  /** Whether it is the last one that may be examined: it is returned even if it doesn't match. */
  isLast: boolean,
}

export type VerificationRow = Typed<typeof row>

/** The columns of `row`, of a verification `v` that was examined. */
const columns = `v.id, v.status, v.confidence, v.over18, v.completed_at as "completedAt", v.revoked_at as "revokedAt",
     ${timelineColumn} as timeline, v.matches, v.is_last as "isLast"`

const revokedAt = 'least(v.token_revoked_at, compromised.at)'

/** What is examined of a verification `v`. */
const examined = `v.id, v.status, v.confidence, v.over18, v.completed_at, ${revokedAt} as revoked_at, v.timeline`

const compromisedKey = `left join (
         select s.id, k.compromised_at as at from token_signer s join signing_key k on k.kid = s.kid
         where k.compromised_at is not null
       ) compromised on compromised.id = v.token_signer`

/** As the filter names it. */
const listedOver18 = `case
         when ${revokedAt} is not null then 'revoked'
         when v.over18 then 'yes' when not v.over18 then 'no' else 'unknown' end`

/** Of denied and rejected ones only the change that completed them has their status. */
const meetsConditions = `(:over18 is null or ${listedOver18} = :over18)
       and (:reasonCode is null or exists (
         select from unnest(v.timeline) c where c.applied and c.status = v.status and c.reason_code = :reasonCode
       ))
       and (:completedFrom is null or v.completed_at >= :completedFrom)
       and (:completedTo is null or v.completed_at < :completedTo)`

/** With `mustNotAdmit`, approved ones only if they give nothing to admit the person on. */
const isSelected = `case
         when v.completed_at is null then v.status = any (:open)
         else v.status = any (:completed) and (not :mustNotAdmit or v.status <> 'approved' or ${listedOver18} <> 'yes')
           and ${meetsConditions}
       end`

/** Among all verifications, the newest first. No index has every digit of an id, and each start would pay for one. */
export const findAmongAll = statement({
  name: 'find-verifications',
  text: `select ${columns} from (
     select ${examined}, row_number() over (order by v.id desc) = ${examinedMax} as is_last,
       (:idPart is null or position(:idPart in encode(uuid_send(v.id), 'hex')) > 0) and ${isSelected} as matches
     from verification v ${compromisedKey}
     where v.tenant_id = :tenantId and v.id >= :from and v.id < :before order by v.id desc limit ${examinedMax}
   ) v where v.matches or v.is_last order by v.id desc limit :limit`,
  values: { ...values, idPart: nullable(text), mustNotAdmit: boolean },
  row,
})

/**
 * By the indexes that have the status: all but approved ones. The lateral subqueries read each index from its end, so that
 * they stop at the limit, and look up one verification after the other, so that they stop when the page is full. A range of
 * three columns has one index; one of ids alone was read from the primary key, with all statuses.
 */
export const findByStatus = statement({
  name: 'find-verifications-by-status',
  text: `select ${columns} from (
     select v.*, found.is_last from (
       select id, row_number() over (order by id desc) = ${lookedUpMax} as is_last from (
         select o.id from unnest(:open) as each (status) cross join lateral (
           select verification_id as id from open_verification
           where tenant_id = :tenantId and status = each.status
             and (tenant_id, status, verification_id) >= (:tenantId, each.status, :from)
             and (tenant_id, status, verification_id) < (:tenantId, each.status, :before)
           order by verification_id desc limit :lookedUp
         ) o
         union all
         select o.id from unnest(:completed) as each (status) cross join lateral (
           select verification_id as id from verification_outcome
           where tenant_id = :tenantId and status = each.status and verification_id >= :from and verification_id < :before
           order by verification_id desc limit :lookedUp
         ) o
         order by id desc limit :lookedUp
       ) ids
     ) found cross join lateral (
       select ${examined}, v.completed_at is null or (${meetsConditions}) as matches
       from verification v ${compromisedKey}
       where v.tenant_id = :tenantId and v.id = found.id limit 1
     ) v
   ) v where v.matches or v.is_last order by v.id desc limit :limit`,
  values: { ...values, lookedUp: int },
  row,
})
