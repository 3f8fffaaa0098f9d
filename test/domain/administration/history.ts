import {
  boolean,
  bytes,
  enumOf,
  int,
  nullable,
  smallint,
  timestamp,
  uuid,
} from '#domain/database/sql-types.ts'
import { statement } from '#domain/database/statement.ts'
import { newId } from '#domain/ids.ts'
import { Member } from '#domain/member/member.entity.ts'
import type { Scope } from '#domain/scope.ts'
import { toAgeToken } from '#domain/signing-key/age-token.ts'
import { ensureSigningKey } from '#domain/signing-key/ensure-signing-key.ts'
import { type SignedToken, signAgeToken } from '#domain/signing-key/sign-age-token.ts'
import type { VerificationStatus } from '#domain/verification-status.ts'
import { dayMs, memberIssuer } from '../../harness/scope.ts'

/** Stores an owner whose addition is in no audit log. */
export async function storeOwner(scope: Scope, tenantId: string, subject = 'olivia'): Promise<void> {
  const { em, now } = scope
  const lastSeenAt = now
  em.create(Member, {
    tenantId,
    issuer: memberIssuer,
    subject,
    id: newId(now),
    role: 'owner',
    addedAt: now,
    lastSeenAt,
  })
  await em.flush()
}

/** Stores a verification, started at the scope's time. */
export async function storeVerification(
  scope: Scope,
  tenantId: string,
  status: VerificationStatus,
): Promise<string> {
  const id = newId(scope.now)
  await insert(scope, { id, tenantId, status })
  return id
}

/** Stores an approved verification with its token, signed by the active key. */
export async function storeApproval(scope: Scope, tenantId: string) {
  const { now, rules } = scope
  const verificationId = newId(now)
  const kid = await ensureSigningKey(scope.pool, scope.cipher, now)
  const approved = {
    verificationId,
    tenantId,
    over18: true,
    decidedAt: null,
    kid,
    test: false,
    retentionDays: null,
  }
  const signed = await signAgeToken(scope, approved)
  await insert(scope, { id: verificationId, tenantId, status: 'approved', token: signed })
  const source = { ...approved, ...signed, completedAt: now }
  const lifetimeSeconds = rules.tokenLifetimeMs / 1000
  const jwt = toAgeToken({ ...source, kid, issuer: rules.baseUrl, lifetimeSeconds })
  const expiresAt = new Date(now.getTime() + rules.tokenLifetimeMs)
  const { jti, statusIndex } = signed
  return { verificationId, jti, statusIndex, kid, jwt, issuedAt: now, expiresAt }
}

async function insert(
  { pool, now }: Scope,
  verification: { id: string; tenantId: string; status: VerificationStatus; token?: SignedToken },
): Promise<void> {
  const { id, tenantId, status, token } = verification
  await insertVerification(pool, {
    id,
    tenantId,
    status,
    now,
    isCompleted: ['approved', 'denied', 'rejected'].includes(status),
    closesAt: new Date(now.getTime() + 8 * dayMs),
    over18: token ? true : null,
    jti: token?.jti ?? null,
    signer: token?.signer ?? null,
    statusIndex: token?.statusIndex ?? null,
    signature: token?.signature ?? null,
  })
}

const insertVerification = statement({
  name: 'test-insert-verification',
  text: `with stored as (
     insert into verification (id, tenant_id, status, provider_session_id, revision, completed_at, confidence, timeline,
       over18, token_id, token_signer, token_status_index, token_signature)
     values (:id, :tenantId, :status, 'session-' || :id, 1, case when :isCompleted then :now end, 0.9,
       array[row(:now, :status, 'provider', null, null, true, null, null)::verification_change],
       :over18, :jti, :signer, :statusIndex, :signature)
   ), outcome as (
     insert into verification_outcome (verification_id, tenant_id, status)
     select :id, :tenantId, :status where :isCompleted and :status <> 'approved'
   )
   insert into open_verification (verification_id, tenant_id, status, closes_at)
   select :id, :tenantId, :status, :closesAt where not :isCompleted`,
  values: {
    id: uuid,
    tenantId: uuid,
    status: enumOf<VerificationStatus>('verification_status'),
    now: timestamp,
    isCompleted: boolean,
    closesAt: timestamp,
    over18: nullable(boolean),
    jti: nullable(uuid),
    signer: nullable(smallint),
    statusIndex: nullable(int),
    signature: nullable(bytes),
  },
  row: {},
})
