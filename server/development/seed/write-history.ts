import type { EntityManager } from '@mikro-orm/postgresql'
import { CompiledQuery } from 'kysely'
import { countUsage } from './count-usage.ts'
import type { InventedToken } from './invent-tokens.ts'
import type { InventedVerification } from './invent-verification.ts'

/** Each takes an array of objects as JSON: one round trip for as many rows as there are. */
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
  audit: `insert into audit_event (tenant_id, id, at, actor, actor_ip, action, target, changes)
    select * from jsonb_to_recordset($1::jsonb) as row (tenant_id uuid, id uuid, at timestamptz, actor text,
      actor_ip text, action text, target text, changes jsonb)`,
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

/** Writes a batch in the caller's transaction. Usage comes last: its rows are those that live starts wait for. */
export async function writeHistory(
  em: EntityManager,
  tenantId: string,
  verifications: InventedVerification[],
  tokens: InventedToken[],
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

function verificationRow(tenantId: string, { state, changes, ...row }: InventedVerification) {
  return {
    ...{ id: row.id, tenant_id: tenantId, status: state.status, provider_session_id: row.providerSessionId },
    ...{ attempt_id: state.attemptId, past_attempt_ids: state.pastAttemptIds, decided_at: state.decidedAt },
    ...{ confidence: state.confidence, over18: state.over18, completed_at: state.completedAt },
    revision: changes.length,
    ...{ created_at: row.createdAt, closes_at: row.closesAt, purge_at: row.purgeAt },
    ...{ user_agent: row.userAgent, ip: row.ip },
  }
}

function changeRows(tenantId: string, { id, changes }: InventedVerification) {
  return changes.map(({ at, status, applied, report }, index) => {
    const result = report.by === 'provider' ? report.result : undefined
    return {
      ...{ tenant_id: tenantId, verification_id: id, revision: index + 1 },
      ...{ at, status, source: report.by, applied },
      ...{ attempt_id: result?.attemptId, code: result?.code, reason_code: result?.reasonCode },
      ...{ score: result?.score, decided_at: result?.decidedAt },
    }
  })
}

function tokenRow(tenantId: string, token: InventedToken) {
  const { jti, verificationId, kid, jwt, over18, issuedAt, expiresAt, revokedAt } = token
  return {
    ...{ tenant_id: tenantId, verification_id: verificationId, jti, kid, jwt, over18 },
    ...{ issued_at: issuedAt, expires_at: expiresAt, revoked_at: revokedAt },
  }
}
