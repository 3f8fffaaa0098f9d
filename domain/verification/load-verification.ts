import { sharedLookup } from '../database/shared-statements.ts'
import { arrayOf, boolean, int, nullable, type Typed, text, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { arrayTypes, valueRows } from '../database/value-arrays.ts'
import { isRetained } from '../retention.policy.ts'
import type { Scope } from '../scope.ts'
import { signingKid } from '../signing-key/key-ring.ts'
import { statusColumns, statusRow } from './status-report.ts'
import type { VerificationState } from './verification.policy.ts'

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
  /** Of its tenant. */
  retentionDays: nullable(int),
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
  if ('tenantId' in key) return await findVerification(pool, { ...key, providerSessionId: null, now })
  const { test, verificationId, providerSessionId } = key
  const found = await findVerification(pool, { tenantId: null, verificationId, providerSessionId, now })
  return found?.test === test ? found : undefined
}

const columns = {
  tenantId: nullable(uuid),
  providerSessionId: nullable(text),
  verificationId: uuid,
  now: timestamp,
}

export const loadVerifications = statement({
  name: 'load-verification',
  // The provider's ids have no case.
  text: `select w.position::int, ${statusColumns}, v.test, v.tenant_id as "tenantId",
     v.provider_session_id as "providerSessionId", v.attempt_id as "attemptId",
     coalesce(v.past_attempt_ids, '{}') as "pastAttemptIds", v.decided_at as "decidedAt", v.revision,
     ${signingKid('v.test', 'w.now')} as kid,
     (select t.retention_days from tenant t where t.id = v.tenant_id) as "retentionDays"
   from ${valueRows(columns)}
     join verification v on v.id = w.verification_id
       and (v.tenant_id = w.tenant_id or lower(v.provider_session_id) = lower(w.provider_session_id))
   where v.id = any (:verificationId)`,
  values: arrayTypes(columns),
  row: { position: int, ...row },
})

const findVerification = sharedLookup(columns, loadVerifications)
