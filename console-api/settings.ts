import { z } from 'zod'
import { getSettings } from '#domain/tenant/get-settings.ts'
import { revealWebhookSecret } from '#domain/tenant/reveal-webhook-secret.ts'
import { rotateWebhookSecret } from '#domain/tenant/rotate-webhook-secret.ts'
import { setReturnUrl } from '#domain/tenant/set-return-url.ts'
import { setWebhookUrl } from '#domain/tenant/set-webhook-url.ts'
import { noInput, timestamp } from './fields.ts'
import { memberProcedure, router } from './trpc.ts'

const settings = z.object({
  webhookUrl: z.string().nullable(),
  returnUrl: z.string().nullable(),
  hasWebhookSecret: z.boolean(),
  previousSecretValidUntil: timestamp.nullable(),
})

/** The only answers that the webhook secret is in. */
const secret = z.object({ webhookSecret: z.string(), previousValidUntil: timestamp.nullable() })

/** null clears the setting. */
const address = z.strictObject({ url: z.string().nullable() })

export const settingsRouter = router({
  get: memberProcedure('read')
    .input(noInput)
    .output(settings)
    .query(({ ctx: { scope, tenantId } }) => getSettings(scope, { tenantId })),

  setWebhookUrl: memberProcedure('settings')
    .input(address)
    .output(settings)
    .mutation(({ ctx: { scope, tenantId }, input }) => setWebhookUrl(scope, { tenantId, url: input.url })),

  setReturnUrl: memberProcedure('settings')
    .input(address)
    .output(settings)
    .mutation(({ ctx: { scope, tenantId }, input }) => setReturnUrl(scope, { tenantId, url: input.url })),

  /** A mutation, because the look is written into the audit log. */
  revealWebhookSecret: memberProcedure('settings')
    .input(noInput)
    .output(secret)
    .mutation(({ ctx: { scope, tenantId } }) => revealWebhookSecret(scope, { tenantId })),

  rotateWebhookSecret: memberProcedure('settings')
    .input(noInput)
    .output(secret)
    .mutation(({ ctx: { scope, tenantId } }) => rotateWebhookSecret(scope, { tenantId })),
})
