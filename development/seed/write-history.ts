import type { EntityManager } from '@mikro-orm/postgresql'
import { CompiledQuery } from 'kysely'
import { dayOf, monthOf } from '#domain/usage/usage-period.ts'
import {
  addCounts,
  completionCounts,
  durationsOf,
  wasOpened,
} from '#domain/verification/completion-counts.ts'
import { attemptsOf } from '#domain/verification/timeline.ts'
import type { GeneratedToken } from './generate-tokens.ts'
import type { GeneratedChange, GeneratedVerification } from './generate-verification.ts'

/** Each takes an array of objects as JSON: one round trip for any number of rows. */
const statements = {
  verification: `insert into verification (id, tenant_id, status, provider_session_id, attempt_id,
      past_attempt_ids, decided_at, revision, confidence, over18, completed_at, token_id, token_signer,
      token_status_index, token_signature, token_revoked_at, timeline)
    select id, tenant_id, status, provider_session_id, attempt_id, past_attempt_ids, decided_at, revision,
      confidence, over18, completed_at, token_id, token_signer, token_status_index, token_signature, token_revoked_at,
      (select array_agg(change) from jsonb_populate_recordset(null::verification_change, changes) change)
    from jsonb_to_recordset($1::jsonb) as row (id uuid, tenant_id uuid, status verification_status,
      provider_session_id text, attempt_id text, past_attempt_ids text[],
      decided_at timestamptz, revision int, confidence float8, over18 bool, completed_at timestamptz, token_id uuid,
      token_signer smallint, token_status_index int, token_signature bytea, token_revoked_at timestamptz, changes jsonb)`,
  open: `insert into open_verification (verification_id, tenant_id, status, closes_at)
    select * from jsonb_to_recordset($1::jsonb) as row (verification_id uuid, tenant_id uuid,
      status verification_status, closes_at timestamptz)`,
  outcome: `insert into verification_outcome (verification_id, tenant_id, status)
    select * from jsonb_to_recordset($1::jsonb) as row (verification_id uuid, tenant_id uuid, status verification_status)`,
  requestData: `insert into request_data (verification_id, tenant_id, user_agent, ip)
    select * from jsonb_to_recordset($1::jsonb) as row (verification_id uuid, tenant_id uuid, user_agent text, ip text)`,
  audit: `insert into audit_event (tenant_id, id, at, actor_kind, actor_issuer, actor_subject, actor_ip, action, target,
      changes)
    select * from jsonb_to_recordset($1::jsonb) as row (tenant_id uuid, id uuid, at timestamptz, actor_kind text,
      actor_issuer text, actor_subject text, actor_ip text, action text, target text, changes jsonb)`,
  day: `insert into usage_day as d (tenant_id, day, started, ${completionCounts.join()})
    select tenant_id, day, started, ${completionCounts.join()}
    from jsonb_to_recordset($1::jsonb) as row (tenant_id uuid, day date, started int,
      ${completionCounts.map(name => `${name} numeric`).join()})
    ${addCounts}, started = d.started + excluded.started`,
  month: `insert into usage_month as m (tenant_id, month, used)
    select * from jsonb_to_recordset($1::jsonb) as row (tenant_id uuid, month date, used int)
    on conflict (tenant_id, month) do update set used = m.used + excluded.used`,
}

/** Writes a batch in the caller's transaction. Usage is last: concurrent starts of the tenant wait for its row locks. */
export async function writeHistory(
  em: EntityManager,
  tenantId: string,
  verifications: GeneratedVerification[],
  tokens: GeneratedToken[],
): Promise<void> {
  const { days, months } = countUsage(tenantId, verifications)
  const tokenOf = new Map(tokens.map(token => [token.verificationId, token]))
  await insert(
    em,
    'verification',
    verifications.map(row => verificationRow(tenantId, row, tokenOf.get(row.id))),
  )
  await insert(
    em,
    'open',
    verifications.filter(({ state }) => !state.completedAt).map(row => openRow(tenantId, row)),
  )
  await insert(
    em,
    'outcome',
    verifications
      .filter(({ state }) => state.completedAt && state.status !== 'approved')
      .map(({ id, state }) => ({ verification_id: id, tenant_id: tenantId, status: state.status })),
  )
  await insert(
    em,
    'requestData',
    verifications
      .filter(({ ip }) => ip !== null)
      .map(({ id, userAgent, ip }) => ({
        verification_id: id,
        tenant_id: tenantId,
        user_agent: userAgent,
        ip,
      })),
  )
  await insert(
    em,
    'audit',
    tokens.flatMap(({ revocation }) => revocation ?? []),
  )
  await insert(em, 'day', days)
  await insert(em, 'month', months)
}

async function insert(em: EntityManager, table: keyof typeof statements, rows: object[]): Promise<void> {
  await em.getKysely().executeQuery(CompiledQuery.raw(statements[table], [JSON.stringify(rows)]))
}

function verificationRow(
  tenantId: string,
  { id, providerSessionId, state, changes }: GeneratedVerification,
  token: GeneratedToken | undefined,
) {
  const { status, attemptId, pastAttemptIds, completedAt } = state
  return {
    id,
    tenant_id: tenantId,
    status,
    provider_session_id: providerSessionId,
    attempt_id: attemptId,
    past_attempt_ids: pastAttemptIds.length > 0 ? pastAttemptIds : null,
    decided_at: state.decidedAt,
    confidence: state.confidence,
    over18: state.over18,
    completed_at: completedAt,
    revision: changes.length,
    token_id: token?.jti,
    token_signer: token?.signer,
    token_status_index: token?.statusIndex,
    token_signature: token && `\\x${token.signature.toString('hex')}`,
    token_revoked_at: token?.revokedAt,
    changes: changes.map(change => changeOf(change, attemptsOf(state))),
  }
}

function changeOf({ at, status, applied, report }: GeneratedChange, attempts: string[]) {
  const result = report.by === 'provider' ? report.result : undefined
  const attempt = result?.attemptId ? attempts.indexOf(result.attemptId) + 1 : null
  return {
    at,
    status,
    source: report.by,
    applied,
    attempt,
    code: result?.code,
    reason_code: result?.reasonCode,
    decided_at: applied ? null : result?.decidedAt,
  }
}

function openRow(tenantId: string, { id, state, closesAt }: GeneratedVerification) {
  return { verification_id: id, tenant_id: tenantId, status: state.status, closes_at: closesAt }
}

interface UsageDay {
  started: number
  /** The columns that completions add to. */
  counts: Record<string, bigint>
}

/** What the verifications add to the tenant's usage: starts by day and month, completions by the day of completion. */
function countUsage(tenantId: string, verifications: GeneratedVerification[]) {
  const days = new Map<string, UsageDay>()
  const months = new Map<string, number>()
  const usageOf = (at: Date) => {
    const usage = days.get(dayOf(at)) ?? {
      started: 0,
      counts: Object.fromEntries(completionCounts.map(name => [name, 0n])),
    }
    days.set(dayOf(at), usage)
    return usage
  }
  for (const verification of verifications) {
    const { createdAt, state } = verification
    const month = monthOf(createdAt)
    months.set(month, (months.get(month) ?? 0) + 1)
    usageOf(createdAt).started++
    if (!state.completedAt) continue
    const { counts } = usageOf(state.completedAt)
    for (const [name, count] of Object.entries(countsOf(verification))) counts[name]! += BigInt(count)
  }
  return {
    days: [...days].map(([day, { started, counts }]) => {
      const texts = Object.entries(counts).map(([name, count]) => [name, String(count)])
      return { tenant_id: tenantId, day, started, ...Object.fromEntries(texts) }
    }),
    months: [...months].map(([month, used]) => ({ tenant_id: tenantId, month, used })),
  }
}

/** What a completed verification adds to the counts of its day. */
function countsOf({ id, state, changes }: GeneratedVerification): Record<string, number | string> {
  const { status, over18 } = state
  const applied = changes.filter(change => change.applied)
  const from = applied.at(-2)?.status ?? 'pending'
  const isSubmitted = applied.some(
    change => change.status === 'submitted' || change.status === 'resubmission',
  )
  return {
    [status]: 1,
    opened: Number(wasOpened(from, status)),
    handed_in: Number(status !== 'rejected' || isSubmitted),
    over18: Number(over18 === true),
    under18: Number(over18 === false),
    durations: durationsOf(id, state),
  }
}
