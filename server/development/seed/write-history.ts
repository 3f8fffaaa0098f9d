import type { EntityManager } from '@mikro-orm/postgresql'
import { CompiledQuery } from 'kysely'
import { dayOf, monthOf } from '#domain/usage/usage-period.ts'
import type { VerificationStatus } from '#domain/verification/verification.policy.ts'
import type { GeneratedToken } from './generate-tokens.ts'
import type { GeneratedVerification } from './generate-verification.ts'

/** Each takes an array of objects as JSON: one round trip for any number of rows. */
const statements = {
  verification: `insert into verification (tenant_id, id, status, provider_session_id, attempt_id, past_attempt_ids,
      decided_at, revision, confidence, over18, created_at, completed_at, closes_at, user_agent, ip, purge_at)
    select * from jsonb_to_recordset($1::jsonb) as row (tenant_id uuid, id uuid, status text,
      provider_session_id text, attempt_id text, past_attempt_ids text[], decided_at timestamptz, revision int,
      confidence float8, over18 bool, created_at timestamptz, completed_at timestamptz, closes_at timestamptz,
      user_agent text, ip text, purge_at timestamptz)`,
  change: `insert into verification_change (tenant_id, verification_id, revision, at, status, source, applied,
      attempt_id, code, reason_code, score, decided_at)
    select * from jsonb_to_recordset($1::jsonb) as row (tenant_id uuid, verification_id uuid, revision int,
      at timestamptz, status text, source text, applied bool, attempt_id text, code int, reason_code text, score float8, decided_at timestamptz)`,
  token: `insert into token (tenant_id, verification_id, jti, kid, jwt, over18, issued_at, expires_at, revoked_at)
    select * from jsonb_to_recordset($1::jsonb) as row (tenant_id uuid, verification_id uuid, jti uuid, kid text, jwt text,
      over18 bool, issued_at timestamptz, expires_at timestamptz, revoked_at timestamptz)`,
  audit: `insert into audit_event (tenant_id, id, at, actor_kind, actor_issuer, actor_subject, actor_ip, action, target,
      changes)
    select * from jsonb_to_recordset($1::jsonb) as row (tenant_id uuid, id uuid, at timestamptz, actor_kind text,
      actor_issuer text, actor_subject text, actor_ip text, action text, target text, changes jsonb)`,
  day: `insert into usage_day as d (tenant_id, day, started, approved, denied, rejected, submitted, resubmission)
    select * from jsonb_to_recordset($1::jsonb) as row (tenant_id uuid, day date, started int, approved int,
      denied int, rejected int, submitted int, resubmission int)
    on conflict (tenant_id, day) do update set started = d.started + excluded.started,
      approved = d.approved + excluded.approved, denied = d.denied + excluded.denied,
      rejected = d.rejected + excluded.rejected, submitted = d.submitted + excluded.submitted,
      resubmission = d.resubmission + excluded.resubmission`,
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
  await insert(
    em,
    'verification',
    verifications.map(row => verificationRow(tenantId, row)),
  )
  await insert(
    em,
    'change',
    verifications.flatMap(row => changeRows(tenantId, row)),
  )
  await insert(
    em,
    'token',
    tokens.map(row => tokenRow(tenantId, row)),
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

function verificationRow(tenantId: string, { state, changes, ...row }: GeneratedVerification) {
  return {
    id: row.id,
    tenant_id: tenantId,
    status: state.status,
    provider_session_id: row.providerSessionId,
    attempt_id: state.attemptId,
    past_attempt_ids: state.pastAttemptIds,
    decided_at: state.decidedAt,
    confidence: state.confidence,
    over18: state.over18,
    completed_at: state.completedAt,
    revision: changes.length,
    created_at: row.createdAt,
    closes_at: row.closesAt,
    purge_at: row.purgeAt,
    user_agent: row.userAgent,
    ip: row.ip,
  }
}

function changeRows(tenantId: string, { id, changes }: GeneratedVerification) {
  return changes.map(({ at, status, applied, report }, index) => {
    const result = report.by === 'provider' ? report.result : undefined
    return {
      tenant_id: tenantId,
      verification_id: id,
      revision: index + 1,
      at,
      status,
      source: report.by,
      applied,
      attempt_id: result?.attemptId,
      code: result?.code,
      reason_code: result?.reasonCode,
      score: result?.score,
      decided_at: result?.decidedAt,
    }
  })
}

function tokenRow(tenantId: string, token: GeneratedToken) {
  const { jti, verificationId, kid, jwt, over18, issuedAt, expiresAt, revokedAt } = token
  return {
    tenant_id: tenantId,
    verification_id: verificationId,
    jti,
    kid,
    jwt,
    over18,
    issued_at: issuedAt,
    expires_at: expiresAt,
    revoked_at: revokedAt,
  }
}

type UsageCount = 'started' | Exclude<VerificationStatus, 'pending' | 'started'>
type UsageDay = Record<UsageCount, number> & { tenant_id: string; day: string }

const emptyCounts: Record<UsageCount, number> = {
  started: 0,
  approved: 0,
  denied: 0,
  rejected: 0,
  submitted: 0,
  resubmission: 0,
}

/** What the verifications add to the tenant's usage: starts by day and month, completions by the day of completion. */
function countUsage(tenantId: string, verifications: GeneratedVerification[]) {
  const days = new Map<string, UsageDay>()
  const months = new Map<string, number>()
  const count = (at: Date, counted: UsageCount) => {
    const day = dayOf(at)
    const usage = days.get(day) ?? { tenant_id: tenantId, day, ...emptyCounts }
    days.set(day, { ...usage, [counted]: usage[counted] + 1 })
  }
  for (const { createdAt, state } of verifications) {
    const month = monthOf(createdAt)
    months.set(month, (months.get(month) ?? 0) + 1)
    count(createdAt, 'started')
    if (state.completedAt) count(state.completedAt, state.status as UsageCount)
  }
  return {
    days: [...days.values()],
    months: [...months].map(([month, used]) => ({ tenant_id: tenantId, month, used })),
  }
}
