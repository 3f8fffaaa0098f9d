import { arrayOf, boolean, int, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'

/**
 * Ends the sessions of a tenant's verifications, in the transaction that deletes these: live ones are queued for their deletion
 * at the provider, if `queues`; those of the test provider are here, and deleted. Returns how many of these there were.
 */
export const endSessions = statement({
  name: 'end-sessions',
  text: `with queued as (
     insert into session_deletion (verification_id, tenant_id, provider_session_id, queued_at, due_at)
     select id, tenant_id, provider_session_id, :now, :now from verification
     where tenant_id = :tenantId and id = any (:verificationIds) and not test and :queues
   ), deleted as (
     delete from simulated_session where verification_id = any (:verificationIds) returning 1
   )
   select count(*)::int as deleted from deleted`,
  values: { tenantId: uuid, verificationIds: arrayOf(uuid), now: timestamp, queues: boolean },
  row: { deleted: int },
})
