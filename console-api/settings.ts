import { z } from 'zod'
import { DomainError } from '#domain/errors.ts'
import { setReturnUrl, setWebhookUrl } from '#domain/tenant/change-settings.ts'
import { getSettings } from '#domain/tenant/get-settings.ts'
import { revealWebhookSecret, rotateWebhookSecret } from '#domain/tenant/rotate-webhook-secret.ts'
import { countDeliveries, getDeliveryHealth } from '#domain/webhook/delivery-health.ts'
import { sampleEvent } from '#domain/webhook/sample-event.ts'
import { failedAttempt, failingDeliveries } from './deliveries.ts'
import { boundedText, noInput, timestamp } from './fields.ts'
import { memberProcedure, readProcedure, router } from './trpc.ts'

const settings = z.object({
  webhookUrl: z.string().nullable(),
  returnUrl: z.string().nullable(),
  hasWebhookSecret: z.boolean(),
  previousSecretValidUntil: timestamp.nullable(),
})

/** What became of the events of the last 24 hours: each number is 10,000 at most. */
const deliveries = z.object({
  accepted: z.int(),
  /** When the latest of them was. */
  acceptedAt: timestamp.nullish(),
  retrying: z.int(),
  givenUp: z.int(),
  latestFailure: failedAttempt.nullable(),
  failing: failingDeliveries.nullable(),
})

/** The only responses that contain the webhook secret. */
const secret = z.object({ webhookSecret: z.string(), previousValidUntil: timestamp.nullable() })

/** `null` clears the setting. With `expectedUrl`, a URL that was changed in the meantime is not overwritten: 409. */
const newUrl = z.strictObject({ url: boundedText.nullable(), expectedUrl: boundedText.nullish() })

export const settingsRouter = router({
  get: readProcedure.output(settings).query(({ ctx: { scope } }) => getSettings(scope)),

  /** Numbers and the latest reason; deliveries are neither listed nor repeated. */
  deliveries: readProcedure.output(deliveries).query(async ({ ctx: { scope } }) => {
    return { ...(await countDeliveries(scope)), ...(await getDeliveryHealth(scope)) }
  }),

  setWebhookUrl: memberProcedure('settings')
    .input(newUrl)
    .output(settings)
    .mutation(({ ctx: { scope }, input }) => ofBody(setWebhookUrl(scope, input))),

  setReturnUrl: memberProcedure('settings')
    .input(newUrl)
    .output(settings)
    .mutation(({ ctx: { scope }, input }) => ofBody(setReturnUrl(scope, input))),

  /** An event as it is sent, signed with a secret that is valid for nothing else. */
  sampleEvent: readProcedure
    .output(z.object({ body: z.string(), headers: z.record(z.string(), z.string()), secret: z.string() }))
    .query(({ ctx: { scope } }) => sampleEvent(scope)),

  /** A mutation, because it writes an audit event. */
  revealWebhookSecret: memberProcedure('settings')
    .input(noInput)
    .output(secret)
    .mutation(({ ctx: { scope } }) => revealWebhookSecret(scope)),

  rotateWebhookSecret: memberProcedure('settings')
    .input(noInput)
    .output(secret)
    .mutation(({ ctx: { scope } }) => rotateWebhookSecret(scope)),
})

/** A URL that is not allowed is wrong in the body, like one that is no text. */
async function ofBody<Result>(change: Promise<Result>): Promise<Result> {
  return await change.catch(error => {
    if (!(error instanceof DomainError) || error.code !== 'INVALID_PARAMETERS') throw error
    const { message } = error
    throw new DomainError('INVALID_REQUEST_BODY', {
      message,
      details: { issues: [{ path: 'url', message }] },
    })
  })
}
