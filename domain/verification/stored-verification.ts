import { sharedLookup } from '../database/shared-statements.ts'
import { int, type Typed, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import { arrayTypes, valueRows } from '../database/value-arrays.ts'
import { isRetained } from '../retention.policy.ts'
import type { TenantScope } from '../scope.ts'
import { tokenColumns, tokenJoins, tokenRow } from '../signing-key/age-token.ts'
import { statusColumns, statusRow } from './status-report.ts'

/** What the status and the token of a verification are made of. */
export type StoredVerification = Typed<typeof storedRow>

export const storedRow = { ...statusRow, ...tokenRow }

/** The columns of `storedRow`, selected from `verification v` and `tokenJoins`. */
export const storedColumns = `${statusColumns}, ${tokenColumns}`

/** What the look-up of a request's key found of the verification that the request names. */
export interface FoundWithKey {
  verificationId: string
  /** Undefined if the tenant has none with this id. */
  stored: StoredVerification | undefined
}

/**
 * One of the tenant's verifications. One look-up, unless it was found with the key. Undefined for an unknown one, one that has
 * expired, and another tenant's.
 */
export async function findStoredVerification(
  scope: TenantScope,
  verificationId: string,
  found?: FoundWithKey,
): Promise<StoredVerification | undefined> {
  if (!isRetained(scope, verificationId)) return undefined
  if (found?.verificationId === verificationId) return found.stored
  return await findVerificationOfTenant(scope.pool, { tenantId: scope.actor.tenantId, verificationId })
}

const key = { tenantId: uuid, verificationId: uuid }

export const findVerificationsOfTenants = statement({
  name: 'find-verification',
  text: `select w.position::int, ${storedColumns}
   from ${valueRows(key)} join verification v on v.id = w.verification_id and v.tenant_id = w.tenant_id ${tokenJoins}
   where v.id = any (:verificationId)`,
  values: arrayTypes(key),
  row: { position: int, ...storedRow },
})

const findVerificationOfTenant = sharedLookup(key, findVerificationsOfTenants)
