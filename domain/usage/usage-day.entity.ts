import { defineEntity, p } from '@mikro-orm/core'
import { Tenant } from '../tenant/tenant.entity.ts'

const UsageDaySchema = defineEntity({
  name: 'UsageDay',
  tableName: 'usage_day',
  properties: {
    tenantId: p.manyToOne(Tenant).mapToPk().fieldName('tenant_id').primary(),
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
  },
})

export class UsageDay extends UsageDaySchema.class {}
UsageDaySchema.setClass(UsageDay)
