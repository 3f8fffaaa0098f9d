import { z } from 'zod'
import { listEvidenceMonths } from '#domain/evidence/monthly-evidence.ts'
import { findTenant } from '#domain/tenant/find-tenant.ts'
import { readProcedure, router } from './trpc.ts'

const billing = z.object({
  plan: z.string(),
  subscription: z.enum(['active', 'inactive']),
  enabled: z.boolean(),
  /** How the operator is reached, in a sentence or an address; absent where it is not configured. */
  contact: z.string().optional(),
  /** Those that there is evidence of, `YYYY-MM`, newest first. */
  months: z.array(z.string()),
  limits: z.object({
    rateLimitPerMinute: z.int(),
    readRateLimitPerMinute: z.int(),
    monthlyQuota: z.int(),
    hardLimit: z.int(),
    overage: z.boolean(),
  }),
})

export const billingRouter = router({
  get: readProcedure.output(billing).query(async ({ ctx: { scope } }) => {
    const { plan, subscription, enabled } = await findTenant(scope)
    const { contact } = scope.rules.practice.operator
    const months = await listEvidenceMonths(scope)
    return { plan: plan.name, subscription, enabled, contact, months, limits: plan }
  }),
})
