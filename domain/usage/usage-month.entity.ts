import { defineEntity, p } from '@mikro-orm/core'
import { Tenant } from '../tenant/tenant.entity.ts'

const UsageMonthSchema = defineEntity({
  name: 'UsageMonth',
  tableName: 'usage_month',
  properties: {
    tenantId: p.manyToOne(Tenant).mapToPk().fieldName('tenant_id').primary(),
    /** The first day of the UTC month. */
    month: p.date().primary(),
    /** Successful starts and starts in progress. */
    used: p.integer(),
  },
})

export class UsageMonth extends UsageMonthSchema.class {}
UsageMonthSchema.setClass(UsageMonth)
