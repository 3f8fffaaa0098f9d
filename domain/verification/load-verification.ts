import { arrayOf, boolean, int, nullable, type Typed, text, timestamp, uuid } from '../database/sql-types.ts'
import { isRetained } from '../retention.policy.ts'
import type { Scope } from '../scope.ts'
import { signingKid } from '../signing-key/key-ring.ts'
import { statusColumns, statusRow } from './status-report.ts'
import type { VerificationState } from './verification.policy.ts'
import { verificationLookup } from './verification-lookup.ts'

const row = {
  ...statusRow,
  test: boolean,
  tenantId: uuid,
  providerSessionId: text,
  attemptId: nullable(text),
  pastAttemptIds: arrayOf(text),
  decidedAt: nullable(timestamp),
  revision: int,
  /** The key that signs now. */
  kid: text,
}

export type LoadedVerification = Typed<typeof row> & VerificationState

/** Where to find a verification: a tenant knows its id, the provider of its kind knows its own session as well. */
export type VerificationKey = { tenantId: string; verificationId: string } | SessionKey

export interface SessionKey {
  providerSessionId: string
  verificationId: string
  test: boolean
}

/** The verification as it is stored, or undefined. */
export async function loadVerification(
  scope: Scope,
  key: VerificationKey,
): Promise<LoadedVerification | undefined> {
  if (!isRetained(scope, key.verificationId)) return undefined
  const { pool, now } = scope
  if ('tenantId' in key) return await loadTenantVerification(pool, { ...key, now })
  const found = await loadSessionVerification(pool, { ...key, now })
  return found?.test === key.test ? found : undefined
}

const select = `select ${statusColumns}, v.test, v.tenant_id as "tenantId", v.provider_session_id as "providerSessionId",
     v.attempt_id as "attemptId", coalesce(v.past_attempt_ids, '{}') as "pastAttemptIds", v.decided_at as "decidedAt",
     v.revision,
     ${signingKid('v.test')} as kid
   from verification v`

export const loadTenantVerification = verificationLookup({
  name: 'load-verification',
  text: `${select} where v.tenant_id = :tenantId and v.id = :verificationId`,
  values: { tenantId: uuid, verificationId: uuid, now: timestamp },
  row,
})

export const loadSessionVerification = verificationLookup({
  name: 'load-verification-of-session',
  // The provider's ids have no case.
  text: `${select} where v.id = :verificationId and lower(v.provider_session_id) = lower(:providerSessionId)`,
  values: { providerSessionId: text, verificationId: uuid, now: timestamp },
  row,
})
