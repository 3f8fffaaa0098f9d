import { randomBytes } from 'node:crypto'
import { arrayOf, double, int, smallint, text, timestamp, uuid } from '#domain/database/sql-types.ts'
import { type StatementPool, statement } from '#domain/database/statement.ts'
import type { Rules } from '#domain/scope.ts'
import { addTokenSigner, reserveStatusIndexes } from '#domain/signing-key/status-indexes.ts'
import { takeNumbers } from '#domain/verification/change-numbers.ts'
import { addCounts, userHadSubmitted } from '#domain/verification/completion-counts.ts'
import { completedStatuses } from '#domain/verification/verification.policy.ts'
import { cumulativeLoad } from './cumulative-load.ts'
import { sampleVerifications } from './sample-verifications.ts'

export interface HistoryOptions {
  tenantId: string
  /** How many to write. */
  verifications: number
  /** They are started from this time … */
  from: Date
  /** … to this time, and are in the state that they have by then. */
  to: Date
  rules: Pick<Rules, 'baseUrl' | 'sessionLifetimeMs' | 'tokenLifetimeMs'>
  /** Who revokes tokens: the operator, if there are none. */
  members?: readonly { issuer: string; subject: string }[]
  /** Called after each transaction with the number of verifications written so far. */
  onProgress?: (written: number) => void
}

export interface FilledHistory {
  verifications: number
  tokens: number
  revokedTokens: number
  /** When the first verification was started; null if there is none. */
  from: Date | null
  /** When the last one was started. */
  to: Date | null
}

/** Verifications per transaction: starts of the tenant wait for its end. */
const batchSize = 5_000

/**
 * Writes verifications with their timelines and tokens, and what is stored beside them: open rows, outcomes, usage,
 * the audit events of revocations; but no deliveries. They repeat a thousand samples, denser in the evening, at the
 * end of the week, and towards `to`. Their tokens never validate: nobody has the key that they name. If it is interrupted, complete batches stay. Throws `DATABASE_ERROR`.
 */
export async function fillHistory(pool: StatementPool, options: HistoryOptions): Promise<FilledHistory> {
  const { tenantId, verifications: count, from, to, rules, members = [], onProgress = () => {} } = options
  const loads = cumulativeLoad(from, to)
  const shared = {
    signer: await addSigner(pool, options),
    tenantId,
    count,
    from,
    to,
    samples: JSON.stringify(sampleVerifications(rules.sessionLifetimeMs)),
    loads,
    slotSeconds: (to.getTime() - from.getTime()) / 1000 / loads.length,
    members: JSON.stringify(members),
    lifetimeSeconds: rules.sessionLifetimeMs / 1000,
  }
  const filled: FilledHistory = { verifications: 0, tokens: 0, revokedTokens: 0, from: null, to: null }
  for (let first = 0; first < count; first += batchSize) {
    const last = Math.min(first + batchSize, count) - 1
    const [batch] = await fillBatch(pool, { ...shared, first, last })
    filled.verifications += batch!.verifications
    filled.tokens += batch!.tokens
    filled.revokedTokens += batch!.revokedTokens
    filled.from ??= batch!.begin
    filled.to = batch!.end
    onProgress(filled.verifications)
  }
  return filled
}

/** Adds the signer of a key that does not exist. */
async function addSigner(
  pool: StatementPool,
  { rules, verifications: count }: HistoryOptions,
): Promise<number> {
  const kid = randomBytes(32).toString('base64url')
  const lifetimeSeconds = Math.floor(rules.tokenLifetimeMs / 1000)
  const terms = { kid, issuer: rules.baseUrl, lifetimeSeconds }
  for (;;) {
    await addTokenSigner(pool, { ...terms, statusKey: randomBytes(16) })
    const [reserved] = await reserveStatusIndexes(pool, { ...terms, count })
    if (reserved) return reserved.signer
  }
}

/** A UUID of version 7, from 18 random hexadecimal digits. */
const idAt = (time: string, digits: string) =>
  `(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0') || '7' || substr(${digits}, 1, 3)
    || '8' || substr(${digits}, 4, 15))::uuid`

const attemptOf = (number: string) => `md5(g.noise || ${number})::uuid::text`

const utcDay = (time: string) => `(${time} at time zone 'UTC')::date`

/**
 * Adds a batch. Samples are started at the epoch: `age` moves them to the time of a verification. 1.2 % of the tokens are
 * revoked within 20 days; Usage comes last, because
 * concurrent starts of the tenant wait for its locks.
 */
const fillBatch = statement({
  name: 'fill-history',
  text: `with sample as materialized (
    select * from jsonb_to_recordset(:samples::jsonb) as s (sample int, since timestamptz, until timestamptz,
      status verification_status, "attemptId" text, "pastAttemptIds" text[], "decidedAt" timestamptz,
      "completedAt" timestamptz, confidence float8, over18 bool, "tokenRevokedAt" timestamptz, opened bool,
      timeline jsonb)
  ), started as materialized (
    select n, floor(random() * 1000)::int as sample, md5(random()::text) as noise, random() as chance,
      date_trunc('milliseconds', :from + make_interval(secs => :slotSeconds
        * (slot + (share - coalesce((:loads)[slot], 0)) / ((:loads)[slot + 1] - coalesce((:loads)[slot], 0))))) as at
    from generate_series(:first, :last) n
    cross join lateral (select (n + random()) / :count as share) shares
    cross join lateral (select width_bucket(share, :loads) as slot) slots
  ), generated as materialized (
    select g.*, s.*, ${idAt('g.at', 'g.noise')} as id, s."completedAt" + age as completed_at,
      coalesce(s."tokenRevokedAt" + age, case when g.chance < 0.012 and s.status = 'approved'
        and s."completedAt" + age + revoked_after <= :to then s."completedAt" + age + revoked_after end) as revoked_at,
      age
    from started g
    cross join lateral (select make_interval(secs => extract(epoch from g.at)::float8) as age,
      g.chance / 0.012 * interval '480 hours' as revoked_after) moved
    join sample s using (sample)
    where s.since + age <= :to and coalesce(s.until + age > :to, true)
  ), numbered as materialized (
    ${takeNumbers('select :tenantId as tenant_id, count(*) from generated where completed_at is not null group by 1')}
  ), added as (
    insert into verification (id, tenant_id, status, provider_session_id, attempt_id, past_attempt_ids, decided_at,
      revision, confidence, over18, completed_at, token_id, token_signer, token_status_index, token_signature,
      token_revoked_at, change, timeline)
    select id, :tenantId, status, gen_random_uuid(), ${attemptOf('"attemptId"')},
      (select array_agg(${attemptOf('past')}) from unnest("pastAttemptIds") past), "decidedAt" + age,
      jsonb_array_length(timeline), confidence, over18, completed_at, t.*, revoked_at,
      case when completed_at is not null then
        (select last from numbered) + 1 - row_number() over (partition by completed_at is null order by completed_at desc) end,
      (select array_agg((c.at + age, c.status, c.source, c.code, c.attempt, c.applied, c.reason_code,
         c.decided_at + age)::verification_change)
       from jsonb_populate_recordset(null::verification_change, timeline) c)
    from generated g left join lateral (
      select ${idAt('completed_at', 'reverse(noise)')}, :signer, n, sha512(noise::bytea)
    ) t on status = 'approved'
    returning *
  ), open_added as (
    insert into open_verification (verification_id, tenant_id, status, closes_at)
    select id, :tenantId, status, at + make_interval(secs => :lifetimeSeconds) from generated where completed_at is null
  ), outcome_added as (
    insert into verification_outcome (verification_id, tenant_id, status)
    select id, :tenantId, status from generated where completed_at is not null and status <> 'approved'
  ), audit_added as (
    insert into audit_event (tenant_id, id, at, actor_kind, actor_issuer, actor_subject, actor_ip, action, target,
      changes)
    select :tenantId, ${idAt('revoked_at', 'noise')}, revoked_at,
      case when m.actor is null then 'operator' else 'member' end, m.actor ->> 'issuer', m.actor ->> 'subject',
      '203.0.113.7', 'token.revoke', id, jsonb_build_object('jti', token_id)
    from generated join added v using (id)
    cross join lateral (select :members::jsonb -> (n % nullif(jsonb_array_length(:members::jsonb), 0)) as actor) m
    where revoked_at is not null and "tokenRevokedAt" is null
  ), days_counted as (
    insert into usage_day as d (tenant_id, day, started, ${completedStatuses.join()}, opened, user_submitted, over18,
      under18)
    select :tenantId, day, count(*) filter (where not is_end),
      ${completedStatuses.map(status => `count(*) filter (where is_end and v.status = '${status}')`).join()},
      count(*) filter (where is_end and g.opened),
      count(*) filter (where is_end and ${userHadSubmitted('v.status')}),
      count(*) filter (where is_end and v.over18), count(*) filter (where is_end and not v.over18)
    from generated g join added v using (id)
    cross join lateral (values (g.at, false), (v.completed_at, true)) each_day (time, is_end)
    cross join lateral (select ${utcDay('time')} as day) dated
    where day is not null group by day order by day
    ${addCounts}, started = d.started + excluded.started
  ), months_counted as (
    insert into usage_month as m (tenant_id, month, used)
    select :tenantId, date_trunc('month', at at time zone 'UTC')::date, count(*) from generated group by 2 order by 2
    on conflict (tenant_id, month) do update set used = m.used + excluded.used
  )
  select count(*)::int as verifications, count(v.token_id)::int as tokens,
    count(v.token_revoked_at)::int as "revokedTokens", min(g.at) as begin, max(g.at) as end
  from generated g join added v using (id)`,
  values: {
    tenantId: uuid,
    first: int,
    last: int,
    count: int,
    from: timestamp,
    to: timestamp,
    loads: arrayOf(double),
    slotSeconds: double,
    samples: text,
    members: text,
    signer: smallint,
    lifetimeSeconds: double,
  },
  row: { verifications: int, tokens: int, revokedTokens: int, begin: timestamp, end: timestamp },
})
