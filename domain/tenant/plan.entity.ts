import { defineEntity, p } from '@mikro-orm/core'

const PlanSchema = defineEntity({
  name: 'Plan',
  tableName: 'plan',
  properties: {
    name: p.string().length(64).primary(),
    /** Starts, completes and submits per minute and key. */
    rateLimitPerMinute: p.integer(),
    /** Status and validate requests per minute and key. */
    readRateLimitPerMinute: p.integer(),
    /** Successful starts per UTC month. */
    monthlyQuota: p.integer(),
    /** Successful starts per UTC month that overage cannot exceed. */
    hardLimit: p.integer(),
    /** Whether starts are allowed between the quota and the hard limit. */
    overage: p.boolean(),
  },
})

export class Plan extends PlanSchema.class {}
PlanSchema.setClass(Plan)
