import { sharedLookup } from '../database/shared-statements.ts'
import { boolean, int, nullable, text, timestamp, uuid } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import { arrayTypes, valueRows } from '../database/value-arrays.ts'
import { tokenJoins } from '../signing-key/age-token.ts'
import {
  type FoundWithKey,
  type StoredVerification,
  storedColumns,
  storedRow,
} from '../verification/stored-verification.ts'
import type { KeyAccess } from './admission.policy.ts'

export const accessRow = {
  position: int,
  apiKeyId: uuid,
  tenantId: uuid,
  /** Separated by spaces. */
  scopes: text,
  expiresAt: nullable(timestamp),
  revoked: boolean,
  enabled: boolean,
  subscriptionActive: boolean,
  writeLimit: int,
  readLimit: int,
}

/** The columns of `accessRow`, selected from `w`, `api_key a` and `accessJoins`. */
export const accessColumns = `w.position::int, a.id as "apiKeyId", a.tenant_id as "tenantId",
     array_to_string(a.scopes, ' ') as scopes, a.expires_at as "expiresAt", a.revoked_at is not null as revoked,
     t.disabled_at is null as enabled, t.subscription = 'active' as "subscriptionActive",
     p.rate_limit_per_minute as "writeLimit", p.read_rate_limit_per_minute as "readLimit"`

export const accessJoins = 'join tenant t on t.id = a.tenant_id join plan p on p.name = t.plan_name'

/**
 * Finds a key by its SHA-256 (hex), and in the same statement the verification of its tenant that a request names: half the
 * work of the requests that name one. Undefined for an unknown key. Throws `DATABASE_ERROR`.
 */
export async function findKeyAccess(
  pool: StatementPool,
  keyHash: string,
  verificationId?: string,
): Promise<{ access: KeyAccess; found?: FoundWithKey } | undefined> {
  if (verificationId === undefined) {
    const access = await findAccess(pool, { keyHash })
    return access && { access }
  }
  const row = await findAccessAndVerification(pool, { keyHash, verificationId })
  if (!row) return undefined
  const stored = row.verificationId === null ? undefined : (row as StoredVerification)
  return { access: row, found: { verificationId, stored } }
}

/** One row after the other: beside so many tables, `any` would have one of them read as a whole. */
const keyOfHash = `cross join lateral (select * from api_key where hash = w.key_hash limit 1) a ${accessJoins}`

const hashed = { keyHash: text }

export const findAccessByHash = statement({
  name: 'find-key-access',
  text: `select ${accessColumns} from ${valueRows(hashed)} ${keyOfHash}`,
  values: arrayTypes(hashed),
  row: accessRow,
})

const findAccess = sharedLookup(hashed, findAccessByHash)

const named = { keyHash: text, verificationId: uuid }

export const findAccessWithVerification = statement({
  name: 'find-key-access-with-verification',
  text: `select ${accessColumns}, ${storedColumns} from ${valueRows(named)} ${keyOfHash}
     left join lateral (
       select * from verification where id = w.verification_id and tenant_id = a.tenant_id limit 1
     ) v on true ${tokenJoins}`,
  values: arrayTypes(named),
  // Where there is no verification, all its columns are null.
  row: { ...accessRow, ...storedRow, verificationId: nullable(uuid) },
})

const findAccessAndVerification = sharedLookup(named, findAccessWithVerification)
