/**
 * Views of a verification's row, to be named in `from` or joined.
 */

/** The timelines as rows, numbered by `revision` from 1. */
export const storedChanges = `(
  select v.id as verification_id, c.* from verification v cross join unnest(v.timeline) with ordinality
    as c (at, status, source, code, attempt, applied, reason_code, decided_at, revision)
)`

/** The tokens. */
export const storedTokens = `(
  select v.id as verification_id, v.token_id as jti, s.kid, v.token_status_index as status_index, v.over18 is true as over18,
    v.token_revoked_at as revoked_at, date_trunc('second', v.completed_at) as issued_at,
    date_trunc('second', v.completed_at) + make_interval(secs => s.lifetime_seconds) as expires_at
  from verification v join token_signer s on s.id = v.token_signer where v.token_id is not null
)`

/** When the verification with this id was started: the time in the id. */
export function createdAt(id: string): string {
  return `to_timestamp(('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint / 1000.0)`
}

/** What `usage_day` has to say about the completions, counted from the verifications themselves. */
export const countedCompletions = `(
  select v.tenant_id, (v.completed_at at time zone 'UTC')::date as day,
    count(*) filter (where v.status = 'approved')::int as approved,
    count(*) filter (where v.status = 'denied')::int as denied,
    count(*) filter (where v.status = 'rejected')::int as rejected,
    count(*) filter (where v.status = 'submitted')::int as submitted,
    count(*) filter (where v.status = 'resubmission')::int as resubmission,
    count(*) filter (where reached && '{started,submitted,resubmission,approved,denied}')::int as opened,
    count(*) filter (where reached && '{submitted,resubmission,approved,denied}')::int as user_submitted,
    count(*) filter (where v.over18)::int as over18, count(*) filter (where not v.over18)::int as under18
  from verification v
  cross join lateral (select array_agg(c.status) as reached from unnest(v.timeline) c where c.applied) changes
  where v.completed_at is not null group by 1, 2
)`
