import { statement } from '../database/statement.ts'
import type { Scope } from '../scope.ts'
import type { VerificationState, VerificationStatus } from './verification.policy.ts'

export interface LoadedVerification extends VerificationState {
  id: string
  tenantId: string
  providerSessionId: string
  revision: number
  createdAt: Date
  /** The signing key of this moment. */
  kid: string
  /** The token, once approved. */
  token: string | null
}

interface Row {
  tenantId: string
  status: VerificationStatus
  providerSessionId: string
  attemptId: string | null
  pastAttemptIds: string[]
  decidedAtMs: number | null
  revision: number
  confidence: number | null
  over18: boolean | null
  createdAtMs: number
  completedAtMs: number | null
  kid: string
  token: string | null
}

const load = statement<Row>(
  'load-verification',
  `select v.tenant_id as "tenantId", v.status, v.provider_session_id as "providerSessionId",
     v.attempt_id as "attemptId", v.past_attempt_ids as "pastAttemptIds", v.revision, v.confidence, v.over18,
     (extract(epoch from v.decided_at) * 1000)::float8 as "decidedAtMs",
     (extract(epoch from v.created_at) * 1000)::float8 as "createdAtMs",
     (extract(epoch from v.completed_at) * 1000)::float8 as "completedAtMs",
     (select kid from signing_key where retired_at is null) as kid, t.jwt as token
   from verification v left join token t on t.verification_id = v.id where v.id = $1`,
)

/** The verification as it stands, or undefined. */
export async function loadVerification(scope: Scope, id: string): Promise<LoadedVerification | undefined> {
  const [row] = await load(scope.pool, [id])
  if (!row) return undefined
  const { decidedAtMs, createdAtMs, completedAtMs, ...rest } = row
  return {
    id,
    ...rest,
    decidedAt: dateOf(decidedAtMs),
    createdAt: new Date(createdAtMs),
    completedAt: dateOf(completedAtMs),
  }
}

export function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms)
}
