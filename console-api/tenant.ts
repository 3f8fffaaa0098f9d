import { z } from 'zod'
import { retentionDaysOf } from '#domain/retention.policy.ts'
import type { Scope } from '#domain/scope.ts'
import { renameTenant } from '#domain/tenant/change-settings.ts'
import { findTenant } from '#domain/tenant/find-tenant.ts'
import { provisionTenant } from '#domain/tenant/provision-tenant.ts'
import type { Tenant } from '#domain/tenant/tenant.entity.ts'
import { getOnboarding } from '#domain/verification/get-onboarding.ts'
import { verificationStatuses } from '#domain/verification-status.ts'
import { failedAttempt } from './deliveries.ts'
import { boundedText, timestamp } from './fields.ts'
import { memberProcedure, readProcedure, router, userProcedure } from './trpc.ts'

const tenant = z.object({
  tenantId: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  plan: z.string(),
  subscription: z.enum(['active', 'inactive']),
  test: z.boolean(),
})

/** With the days after their completion when verifications are deleted. Only the operator changes them. */
const storedTenant = tenant.extend({ retentionDays: z.number() })

const onboarding = z.object({
  apiKey: z.object({ createdAt: timestamp }).nullable(),
  keyUsedAt: timestamp.nullable(),
  firstVerification: z
    .object({ verificationId: z.string(), status: z.enum(verificationStatuses), createdAt: timestamp })
    .nullable(),
  firstCompletedAt: timestamp.nullable(),
  webhookUrlSet: z.boolean(),
  /** When the receiver accepted an event: the latest of the last 24 hours, else the first that is known. */
  webhookAcceptedAt: timestamp.nullable(),
  webhookFailure: failedAttempt.nullable(),
})

const named = z.strictObject({ name: boundedText })

export const tenantRouter = router({
  /** Creates a tenant with the caller as its owner. */
  provision: userProcedure
    .input(named.extend({ test: z.boolean().optional() }))
    .output(tenant)
    .mutation(async ({ ctx, input }) => presentTenant(ctx.scope, await provisionTenant(ctx.scope, input))),

  get: readProcedure
    .output(storedTenant)
    .query(async ({ ctx: { scope } }) => presentTenant(scope, await findTenant(scope))),

  /** How far the integration has come, from what has happened. */
  onboarding: readProcedure.output(onboarding).query(({ ctx: { scope } }) => getOnboarding(scope)),

  /** With `expectedName`, a name that was changed in the meantime is not overwritten: 409. */
  update: memberProcedure('tenant')
    .input(named.extend({ expectedName: boundedText.optional() }))
    .output(storedTenant)
    .mutation(async ({ ctx: { scope }, input }) => presentTenant(scope, await renameTenant(scope, input))),
})

function presentTenant({ rules }: Scope, found: Tenant): z.input<typeof storedTenant> {
  const { id, name, enabled, plan, subscription, test } = found
  const retentionDays = retentionDaysOf(found, rules)
  return { tenantId: id, name, enabled, plan: plan.name, subscription, test, retentionDays }
}
