import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi'
import { completedEventType } from '#domain/webhook/completed-event.ts'
import { signEvent } from '#domain/webhook/signature.policy.ts'
import { completedEvent, completedEventExamples } from './completed-event.ts'

const description = `Sent to the webhook URL of your tenant, once for each verification that was started, when it has reached its final status.

**Approved does not mean 18 or over.** The event has no age. Admit a person only if \`over18\` of \`GET /verify/status\` is \`true\`, or if \`POST /tokens/validate\` returns \`valid: true\`.

**Verify the signature** before you parse the body: compute the HMAC-SHA256 of the raw bytes with your webhook secret (the whole \`whsec_…\` string, in UTF-8), and compare it with \`X-Webhook-Signature\` in constant time. For 24 hours after you rotate the secret, accept both: attempts are signed with the new and the old one alternately.

**Respond with a 2xx status within 5 seconds.** Redirects and any other status, a timeout, a DNS or a TLS error fail the attempt. There are three attempts: one immediately, one after about 1 minute, and one after about another 10 minutes; these delays are the defaults. The same event can arrive more than once: deduplicate by \`data.verificationId\`.`

const headers = z.object({
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
  description,
  security: [],
  requestParams: { header: headers },
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
