import { defineEntity, p } from '@mikro-orm/core'

const UsageDaySchema = defineEntity({
  name: 'UsageDay',
  tableName: 'usage_day',
  properties: {
    /** Not a foreign key: the counts outlast the tenant. */
    tenantId: p.uuid().primary(),
    /** UTC. */
    day: p.date().primary(),
    /** Verifications started on the day. */
    started: p.integer().default(0),
    /** Verifications completed on the day, by final status. */
    approved: p.integer().default(0),
    denied: p.integer().default(0),
    rejected: p.integer().default(0),
    submitted: p.integer().default(0),
    resubmission: p.integer().default(0),
    /** Of the completed ones, those whose user had opened the hosted page, and those whose user had submitted. */
    opened: p.integer().default(0),
    userSubmitted: p.integer().default(0),
    /** Of the approved ones, by age; of the others it is unknown. */
    over18: p.integer().default(0),
    under18: p.integer().default(0),
    /** Those of 18 or over, by what proved it. */
    adultsByDate: p.integer().default(0),
    adultsByYear: p.integer().default(0),
    adultsByEstimate: p.integer().default(0),
    /** Those approved on the day whose token was revoked since, by who did it first. */
    revokedByTenant: p.integer().default(0),
    revokedByOperator: p.integer().default(0),
    revokedByProvider: p.integer().default(0),
    revokedBySigningKey: p.integer().default(0),
    revokedByErasure: p.integer().default(0),
    /** Open verifications that were deleted on the day, by an erasure or with their tenant. */
    erased: p.integer().default(0),
  },
})

export class UsageDay extends UsageDaySchema.class {}
UsageDaySchema.setClass(UsageDay)
