import { type RawQueryFragment, raw, sql } from '@mikro-orm/postgresql'
import type { TenantScope } from '../scope.ts'
import type { VerificationStatus } from '../verification-status.ts'
import { timelineColumn } from './timeline.ts'
import type { IdRange, Selection } from './verification-filter.ts'

/**
 * How many verifications a query examines at most, of those that no index tells apart: one after the other, or looked up
 * one by one, which takes longer. It ends earlier when the page is full.
 */
export const examinedMax = 10_000
export const lookedUpMax = 4_000

export interface FoundPage extends IdRange {
  limit: number
}

/** What a row that was examined says beside what is listed of it. */
export interface ExaminedRow {
  matches?: boolean
  /** Whether it is the last one that may be examined: it is returned even if it doesn't match. */
  is_last?: boolean
}

/** A query of `ExaminedRow`s. Values are in its text, so that its plan has only the partitions that it reads. */
export type Select = RawQueryFragment

/** Statuses that have an index are found by it; approved ones, which are frequent, among all verifications. */
export function selectPage(scope: TenantScope, selection: Selection, page: FoundPage): Select {
  const { open, completed, idPart } = selection
  if (completed.includes('approved') || idPart) return selectMatching(scope, selection, page)
  if (conditionsOn(selection).length > 0) return selectMatchingOutcomes(scope, selection, page)
  const ofCompleted = selectCompleted(scope, completed, page)
  return open.length === 0 ? ofCompleted : merged([selectOpen(scope, open, page), ofCompleted], page)
}

const details = sql`v.status, v.confidence, v.over18, v.completed_at, v.token_revoked_at, v.token_signer`
const columns = sql`v.id, ${details}`

function selectNewest(
  { actor }: TenantScope,
  selected: RawQueryFragment,
  { limit, ...range }: FoundPage,
): Select {
  return sql`select ${selected} from verification v
    where v.tenant_id = ${actor.tenantId} and ${within('v.id', range)} order by v.id desc limit ${limit}`
}

function selectMatching(scope: TenantScope, selection: Selection, page: FoundPage): Select {
  const { open, completed, idPart } = selection
  const isSelected = [
    sql`v.status = any (array[${completed}]::verification_status[])`,
    ...conditionsOn(selection),
  ]
  const matches = sql`case when v.completed_at is null then v.status = any (array[${open}]::verification_status[])
    else ${joined(isSelected, ' and ')} end ${hasPart(idPart)}`
  const examined = sql`${columns}, ${matches} as matches, ${isLast('v.id', examinedMax)}`
  return matching(selectNewest(scope, examined, { ...page, limit: examinedMax }), page)
}

/** IDs have no index by which a part of them is found. It has hexadecimal digits only. */
function hasPart(idPart: string | undefined): RawQueryFragment {
  return idPart === undefined ? sql`` : sql`and position(${idPart} in replace(v.id::text, '-', '')) > 0`
}

const ofCompromisedKeys = sql`from token_signer s join signing_key k on k.kid = s.kid where k.compromised_at is not null`

/** Of a row `found`: when its token was revoked, or its signing key was reported as compromised. */
export const revokedAt = sql`least(found.token_revoked_at,
  (select k.compromised_at ${ofCompromisedKeys} and s.id = found.token_signer))`

/** Of a row `found`, in its partition. */
export function selectTimeline({ actor }: TenantScope, range: IdRange): RawQueryFragment {
  return sql`(select ${raw(timelineColumn)} from verification v
    where v.tenant_id = ${actor.tenantId} and v.id = found.id and ${within('v.id', range)})`
}

/** Of a row `v`, as the filter names it. The signers, few if any, are looked up once for all rows. */
const listedOver18 = sql`case
  when v.token_revoked_at is not null or v.token_signer = any (array(select s.id ${ofCompromisedKeys})) then 'revoked'
  when v.over18 then 'yes' when not v.over18 then 'no' else 'unknown' end`

/** On the rows `v` of completed verifications: what no index has. */
function conditionsOn(selection: Selection): RawQueryFragment[] {
  const { mustNotAdmit, over18, reasonCode, completedFrom, completedTo } = selection
  return [
    ...(mustNotAdmit ? [sql`(v.status <> 'approved' or ${listedOver18} <> 'yes')`] : []),
    ...(over18 === undefined ? [] : [sql`${listedOver18} = ${over18}`]),
    // Of denied and rejected ones only the change that completed them has their status.
    ...(reasonCode === undefined
      ? []
      : [
          sql`exists (select from unnest(v.timeline) c
            where c.applied and c.status = v.status and c.reason_code = ${reasonCode})`,
        ]),
    ...(completedFrom ? [sql`v.completed_at >= ${timestamp(completedFrom)}`] : []),
    ...(completedTo ? [sql`v.completed_at < ${timestamp(completedTo)}`] : []),
  ]
}

/** PostgreSQL does not read the year 0, which JavaScript writes. */
function timestamp(time: Date): RawQueryFragment {
  return sql`to_timestamp(${time.getTime() / 1_000})`
}

/** Open verifications: all that a list shows of them is in their row. */
export function selectOpen(
  { actor }: TenantScope,
  statuses: readonly VerificationStatus[],
  page: FoundPage,
): Select {
  const selects = statuses.map(
    status => sql`select verification_id as id, status, null::float8 as confidence, null::bool as over18,
        null::timestamptz as completed_at, null::timestamptz as token_revoked_at, null::int2 as token_signer
      from open_verification where tenant_id = ${actor.tenantId} and status = ${status}
        and ${within('verification_id', page)}
      order by verification_id desc limit ${page.limit}`,
  )
  return merged(selects, page)
}

/** Completed ones, found by the index that has their status. */
function selectCompleted(
  scope: TenantScope,
  statuses: readonly VerificationStatus[],
  page: FoundPage,
): Select {
  return sql`select o.id, v.* from (${selectOutcomes(scope, statuses, page)}) o
    cross join lateral (${selectOne(scope, details, page)}) v order by o.id desc`
}

/** Of those that the index finds, the ones that meet the further conditions. */
function selectMatchingOutcomes(scope: TenantScope, selection: Selection, page: FoundPage): Select {
  const outcomes = selectOutcomes(scope, selection.completed, { ...page, limit: lookedUpMax })
  const matches = joined(conditionsOn(selection), ' and ')
  const examined = sql`select o.id, v.*, o.is_last
    from (select id, ${isLast('id', lookedUpMax)} from (${outcomes}) found) o
    cross join lateral (${selectOne(scope, sql`${details}, ${matches} as matches`, page)}) v`
  return matching(examined, page)
}

function selectOutcomes(
  { actor }: TenantScope,
  statuses: readonly VerificationStatus[],
  page: FoundPage,
): Select {
  const selects = statuses.map(
    status => sql`select verification_id as id from verification_outcome
      where tenant_id = ${actor.tenantId} and status = ${status} and ${within('verification_id', page)}
      order by verification_id desc limit ${page.limit}`,
  )
  return merged(selects, page)
}

/** The verification of an outcome `o`, looked up in its partition. */
function selectOne({ actor }: TenantScope, selected: RawQueryFragment, range: IdRange) {
  return sql`select ${selected} from verification v
    where v.tenant_id = ${actor.tenantId} and v.id = o.id and ${within('v.id', range)} limit 1`
}

/** The newest of several selects, each ordered and limited itself. */
function merged(selects: readonly Select[], { limit }: FoundPage): Select {
  const union = joined(
    selects.map(select => sql`(${select})`),
    ' union all ',
  )
  return sql`select * from (${union}) merged order by id desc limit ${limit}`
}

/** Of rows with `matches` and `is_last`, those that match, and the last one. */
function matching(examined: Select, { limit }: FoundPage): Select {
  return sql`select * from (${examined}) examined where matches or is_last order by id desc limit ${limit}`
}

/** Whether a row is that of a number, counted from the newest. */
function isLast(column: string, rows: number) {
  return sql`row_number() over (order by ${raw(column)} desc) = ${rows} as is_last`
}

function within(column: string, { from, before }: IdRange): RawQueryFragment {
  return sql`${raw(column)} >= ${from}::uuid and ${raw(column)} < ${before}::uuid`
}

function joined(parts: readonly RawQueryFragment[], separator: string): RawQueryFragment {
  return raw(parts.map(() => '?').join(separator), parts)
}
