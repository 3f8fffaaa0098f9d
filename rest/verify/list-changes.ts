import { z } from 'zod'
import { type Changes, listChanges as list } from '#domain/verification/list-changes.ts'
import { abortOnDisconnect, tenantEndpoint } from '../endpoint.ts'
import { exampleCompletedAt } from '../examples.ts'
import { waitingIsBounded, waitParameter } from '../wait.ts'
import { presentStatus, verificationStatus } from './verification-status.ts'

export const exampleCursor = '1764403200000-cfd45d2b'

const verificationChange = verificationStatus
  .omit({ token: true })
  .extend({
    updatedAt: z.string().meta({
      description:
        'When the verification was completed or, if that was later, its token was revoked, in UTC. The order of the list ' +
        'is that of the commits, from which this can differ.',
      format: 'date-time',
      example: exampleCompletedAt,
    }),
  })
  .meta({ id: 'VerificationChange', description: 'A completed verification, as its last change left it.' })

const verificationChanges = z
  .object({
    items: z.array(verificationChange).meta({ description: 'In the order of their last change.' }),
    next: z
      .string()
      .meta({ description: 'The next `after`, also if there are no items.', example: exampleCursor }),
    missedBefore: z
      .string()
      .optional()
      .meta({
        description:
          'Only where retention has deleted changes that follow `after`, before you asked for them: the time of the last one. It ' +
          'is said once, because `next` is behind it. Ask for the status of what you have started before it.',
        format: 'date-time',
        example: exampleCompletedAt,
      }),
  })
  .meta({ id: 'VerificationChanges', description: 'Verifications that were completed or revoked.' })

const after = z
  .string()
  .optional()
  .meta({
    description:
      '`next` of an earlier response. Without it, the list begins with the oldest verification that is kept. A cursor stays ' +
      'valid, also if what it points to has been deleted. What is none, that of another tenant, and one that is ahead of your ' +
      'last change because the service was restored from an older backup, are rejected with 400 `INVALID_PARAMETERS`.',
    example: exampleCursor,
    override: { type: 'string' },
  })

const limit = z
  .string()
  .refine(text => /^([1-9]\d?|100)$/.test(text), 'must be a whole number from 1 to 100')
  .transform(Number)
  .optional()
  .meta({
    description: 'How many items at most.',
    example: 100,
    override: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
  })

export const listChanges = tenantEndpoint({
  method: 'GET',
  path: '/verifications',
  operationId: 'listVerificationChanges',
  tag: 'Verifications',
  summary: 'List what was completed or revoked',
  description:
    'Your completed verifications in the order in which their completions, and later revocations, were committed, oldest ' +
    'first: for those who must not miss one. Store `next` when you have handled the items, and go on with it as `after`: no ' +
    'change is skipped, except as `missedBefore` says. A verification is listed once, where its last change is: one that is ' +
    'revoked is listed again. Each is as `GET /verify/status` has it, without the token.',
  access: { scope: 'verifications:read', rateClass: 'read' },
  query: z.strictObject({
    after,
    limit,
    wait: waitParameter(
      'How long to wait for the next change, in whole seconds, if there is none yet. The response can come earlier. ' +
        waitingIsBounded,
    ),
  }),
  response: {
    status: 200,
    description: 'The changes.',
    schema: verificationChanges,
  },
  errors: [],
  async handle({ scope, query, response }) {
    const { after, limit = 50, wait = 0 } = query
    const listed = { after, limit, waitMs: wait * 1_000, signal: abortOnDisconnect(response) }
    return present(await list(scope, listed))
  },
})

function present({ items, next, missedBefore }: Changes) {
  return {
    items: items.map(item => ({ ...presentStatus(item), updatedAt: item.updatedAt.toISOString() })),
    next,
    missedBefore: missedBefore?.toISOString(),
  }
}
