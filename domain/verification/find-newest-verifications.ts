import { boolean, double, enumOf, int, nullable, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'
import type { VerificationStatus } from '../verification-status.ts'
import { timeline, timelineColumn } from './timeline.ts'

/** What a list shows of a tenant's newest verifications, whatever their status. */
export const findNewestVerifications = statement({
  name: 'find-newest-verifications',
  text: `select v.id, v.status, v.confidence, v.over18, v.completed_at,
      least(v.token_revoked_at, compromised.at) as revoked_at, ${timelineColumn} as timeline
    from verification v left join (
      select s.id, k.compromised_at as at from token_signer s join signing_key k on k.kid = s.kid
      where k.compromised_at is not null
    ) compromised on compromised.id = v.token_signer
    where v.tenant_id = :tenantId and v.id >= :from and v.id < :before order by v.id desc limit :limit`,
  values: { tenantId: uuid, from: uuid, before: uuid, limit: int },
  row: {
    id: uuid,
    status: enumOf<VerificationStatus>('verification_status'),
    confidence: nullable(double),
    over18: nullable(boolean),
    completed_at: nullable(timestamp),
    revoked_at: nullable(timestamp),
    timeline,
  },
})
