import { defineEntity, p } from '@mikro-orm/core'

const UsageMonthSchema = defineEntity({
  name: 'UsageMonth',
  tableName: 'usage_month',
  properties: {
    /** Not a foreign key: the counts outlast the tenant. */
    tenantId: p.uuid().primary(),
    /** The first day of the UTC month. */
    month: p.date().primary(),
    /** Successful starts and starts in progress. */
    used: p.integer(),
  },
})

export class UsageMonth extends UsageMonthSchema.class {}
UsageMonthSchema.setClass(UsageMonth)
