import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi'
import { providerNames } from '#domain/provider-result.ts'
import { completedStatuses } from '#domain/verification/verification.policy.ts'
import type { VerificationStatus } from '#domain/verification-status.ts'
import { completedEventType } from '#domain/webhook/completed-event.ts'
import { signEvent } from '#domain/webhook/signature.policy.ts'
import {
  confidenceMeaning,
  exampleCompletedAt,
  exampleTenantId,
  exampleVerificationId,
} from '#rest/examples.ts'
import type { Example } from './response-examples.ts'

/** The body of the webhook event, as `domain/webhook/completed-event.ts` builds it. */
export const completedEvent = z
  .object({
    event: z
      .literal(completedEventType)
      .meta({ description: 'The type of the event.', example: completedEventType }),
    tenantId: z.uuid().meta({ description: 'The identifier of your tenant.', example: exampleTenantId }),
    data: z
      .object({
        verificationId: z.uuid().meta({
          description: 'The identifier that start returned. Deduplicate events by it.',
          example: exampleVerificationId,
        }),
        status: z.enum(completedStatuses as [VerificationStatus, ...VerificationStatus[]]).meta({
          description:
            'The final status. `approved` does not mean 18 or over: admit on `over18` of the status, or on ' +
            '`POST /tokens/validate`. `submitted` and `resubmission`: the verification expired in this status.',
          example: 'approved',
        }),
        confidence: z.number().min(0).max(1).meta({ description: confidenceMeaning, example: 0.98 }),
        provider: z
          .literal(providerNames)
          .meta({ description: 'The identity provider.', example: providerNames[0] }),
      })
      .meta({ description: 'The completed verification.' }),
    timestamp: z.iso.datetime().meta({
      description:
        'When the verification was completed, in UTC. It is signed: reject events older than 24 hours, so that ' +
        'a recorded one cannot be replayed.',
      example: exampleCompletedAt,
    }),
  })
  .meta({ id: 'VerificationCompletedEvent', description: 'A verification has been completed.' })

type CompletedEvent = z.input<typeof completedEvent>

function toExample(status: VerificationStatus, confidence: number, summary: string): Example<CompletedEvent> {
  return {
    summary,
    value: {
      event: completedEventType,
      tenantId: exampleTenantId,
      data: { verificationId: exampleVerificationId, status, confidence, provider: providerNames[0] },
      timestamp: exampleCompletedAt,
    },
  }
}

export const completedEventExamples: Record<string, Example<CompletedEvent>> = {
  approved: toExample('approved', 0.98, 'The identity check passed; it says nothing about the age'),
  denied: toExample('denied', 0.97, 'The identity check failed'),
  rejected: toExample('rejected', 0, 'The session expired, or the end user abandoned it'),
  submitted: toExample('submitted', 0, 'The session expired before the identity provider decided'),
  resubmission: toExample('resubmission', 0, 'The session expired before the end user submitted again'),
}

/** In Markdown. */
export const completedEventDescription = `Sent to the webhook URL of your tenant, once for each verification that was started, when it has reached its final status.

**Approved does not mean 18 or over.** The event has no age. Admit a person only if \`over18\` of \`GET /verify/status\` is \`true\`, or if \`POST /tokens/validate\` returns \`valid: true\`.

**Verify the signature** before you parse the body: compute the HMAC-SHA256 of the raw bytes with your webhook secret (the whole \`whsec_…\` string, in UTF-8), and compare it with \`X-Webhook-Signature\` in constant time. For 24 hours after you rotate the secret, accept both: attempts are signed with the new and the old one alternately.

**Respond with a 2xx status within 5 seconds.** Redirects and any other status, a timeout, a DNS or a TLS error fail the attempt. There are three attempts: one immediately, one after about 1 minute, and one after about another 10 minutes; these delays are the defaults. The same event can arrive more than once: deduplicate by \`data.verificationId\`.`

export const completedEventHeaders = z.object({
  'X-Webhook-Signature': z
    .string()
    .length(64)
    .meta({
      param: { id: 'WebhookSignature' },
      description: 'HMAC-SHA256 of the raw body with your webhook secret, in lower-case hex.',
      example: signEvent(JSON.stringify(completedEventExamples.approved!.value), 'whsec_example'),
    }),
  'X-Webhook-Event': z.literal(completedEventType).meta({
    param: { id: 'WebhookEvent' },
    description: 'The type of the event, the same as `event` in the body.',
    example: completedEventType,
  }),
})

const verificationCompleted: ZodOpenApiOperationObject = {
  operationId: 'verificationCompleted',
  tags: ['Webhooks'],
  summary: 'A verification has been completed',
  description: completedEventDescription,
  security: [],
  requestParams: { header: completedEventHeaders },
  requestBody: {
    required: true,
    description: 'Exactly the bytes that are signed.',
    content: { 'application/json': { schema: completedEvent, examples: completedEventExamples } },
  },
  responses: {
    '2XX': { description: 'Received. The body of the response is ignored.' },
    default: { description: 'The attempt has failed; it is repeated up to twice.' },
  },
}

/** The requests that the service sends to its tenants. */
export const webhooks: ZodOpenApiPathsObject = { [completedEventType]: { post: verificationCompleted } }
