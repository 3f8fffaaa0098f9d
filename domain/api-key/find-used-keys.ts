import { int, text, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'

/** The SHA-256 (hex) of the keys that were used since, the last one first, and whose they are. */
export const findUsedKeys = statement({
  name: 'find-used-keys',
  text: `select hash as "keyHash", tenant_id as "tenantId" from api_key
   where revoked_at is null and last_used_at >= :since order by last_used_at desc limit :limit`,
  values: { since: timestamp, limit: int },
  row: { keyHash: text, tenantId: uuid },
})
