import { z } from 'zod'
import { completedEvent, completedEventType } from '#domain/webhook/completed-event.ts'
import { listTestEvents, type TestEvents } from '#domain/webhook/list-test-events.ts'
import { eventHeaders } from '#domain/webhook/signature.policy.ts'
import { abortOnDisconnect, tenantEndpoint } from '../endpoint.ts'
import { exampleCompletedAt, exampleTenantId, exampleVerificationId } from '../examples.ts'
import { waitingIsBounded, waitParameter } from '../wait.ts'

const body = completedEvent(
  {
    tenantId: exampleTenantId,
    verificationId: exampleVerificationId,
    status: 'approved',
    confidence: 0.98,
    provider: 'veriff',
  },
  new Date(exampleCompletedAt),
)

const example = {
  id: '17',
  at: exampleCompletedAt,
  attempt: 1,
  url: null,
  headers: eventHeaders(completedEventType, body, 'whsec_example'),
  body,
}

const testEvents = z
  .object({
    events: z
      .array(
        z.object({
          id: z.string().meta({ description: 'Identifies it among those of your tenant.', example: '17' }),
          at: z.string().meta({
            description: 'When the attempt began, in UTC.',
            format: 'date-time',
            example: example.at,
          }),
          attempt: z.int().min(1).max(3).meta({ description: 'The number of the attempt.', example: 1 }),
          url: z.string().nullable().meta({
            description:
              'The webhook URL of that moment. Null if there was none: then there is no other attempt.',
            example: 'https://shop.example/webhooks',
          }),
          headers: z.record(z.string(), z.string()).meta({
            description: 'Those of the request that are not about its connection, the signature among them.',
            example: example.headers,
          }),
          body: z.string().meta({ description: 'Exactly the text that is signed, in UTF-8.', example: body }),
        }),
      )
      .meta({ description: 'Oldest first, 20 at most.', example: [example] }),
    next: z.string().meta({ description: 'The next `after`, also if there are no events.', example: '17' }),
  })
  .meta({ id: 'TestEvents', description: 'Requests with webhook events.' })

/** `int` of PostgreSQL holds every number of nine digits. */
const after = z
  .string()
  .regex(/^(\d{1,9}|latest)$/, 'must be next of an earlier response, or latest')
  .transform(text => (text === 'latest' ? ('latest' as const) : Number(text)))
  .optional()
  .meta({
    description:
      '`next` of an earlier response. Without it, the response begins with the oldest event that is kept; with `latest`, ' +
      'with those that are still to come.',
    example: '17',
  })

export const listEvents = tenantEndpoint({
  method: 'GET',
  path: '/test/events',
  operationId: 'listTestEvents',
  tag: 'Test tenants',
  summary: 'List webhook events as they were sent',
  description:
    'Each attempt to deliver an event of a test tenant, with headers and body as they were sent: for receivers that the ' +
    'service can’t reach, such as one on a laptop or in CI. Ask again with `next` as `after`. Without a webhook URL every ' +
    'event is listed once. Events are kept for 24 hours. With the key of a live tenant it fails.',
  access: { scope: 'verifications:read', rateClass: 'read' },
  query: z.strictObject({
    after,
    wait: waitParameter(
      'How long to wait for the next event, in whole seconds, if there is none yet. The response can come earlier. ' +
        waitingIsBounded,
    ),
  }),
  response: {
    status: 200,
    description: 'The events.',
    schema: testEvents,
  },
  errors: [],
  async handle({ scope, query, response }) {
    const { after = 0, wait = 0 } = query
    const listed = { after, waitMs: wait * 1_000, signal: abortOnDisconnect(response) }
    return present(await listTestEvents(scope, listed))
  },
})

function present({ events, next }: TestEvents) {
  return {
    events: events.map(({ id, at, ...event }) => ({ ...event, id: String(id), at: at.toISOString() })),
    next: String(next),
  }
}
