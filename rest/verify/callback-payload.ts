import { z } from 'zod'
import { exampleCompletedAt, exampleVerificationId } from '../openapi/examples.ts'

/** What the identity provider sends, as far as the service reads it. For the document: `server/veriff/` reads it. */

const sessionId = 'fd5c1563-1d23-4b1a-ae46-7ba429927ed8'
const attemptId = '87ba8b50-8d3b-4b1a-9d1c-2a7b7f0f3a55'

const ids = {
  id: z.string().meta({ description: "The provider's session.", example: sessionId }),
  attemptId: z.string().nullish().meta({ description: 'The attempt of the session.', example: attemptId }),
  vendorData: z.string().nullish().meta({
    description: 'The verification, as it was given to the provider.',
    example: exampleVerificationId,
  }),
}

const decided = {
  code: z
    .int()
    .min(0)
    .max(99_999)
    .nullish()
    .meta({ description: 'The code of the decision.', example: 9001 }),
  reasonCode: z
    .union([z.string(), z.int().min(0).max(99_999)])
    .nullish()
    .meta({ description: 'Why the provider decided so.', example: 201 }),
  decisionScore: z
    .number()
    .nullish()
    .meta({ description: 'The confidence in the decision, 0 to 1.', example: 0.98 }),
  decisionTime: z.iso
    .datetime({ offset: true })
    .nullish()
    .meta({ description: 'When the provider decided.', example: exampleCompletedAt }),
}

const person = z
  .looseObject({
    dateOfBirth: z
      .string()
      .nullish()
      .meta({ description: 'Evaluated, and neither stored nor logged.', example: '1990-02-03' }),
  })
  .nullish()
  .meta({ description: 'The person. All other fields are dropped.' })

const outcome = z.enum(['approved', 'declined', 'resubmission_requested', 'review', 'expired', 'abandoned'])

const event = z
  .looseObject({
    ...ids,
    code: z.literal([7001, 7002]).meta({
      description: '7001: the end user opened the hosted flow. 7002: they submitted everything.',
      example: 7001,
    }),
  })
  .meta({ id: 'Event', description: 'What the end user did.' })

const decision = z
  .looseObject({
    verification: z
      .looseObject({
        ...ids,
        status: outcome.meta({ description: 'The decision.', example: 'approved' }),
        ...decided,
        person,
      })
      .meta({ description: 'The session and its decision.' }),
  })
  .meta({ id: 'Decision', description: 'A decision.' })

const fullAutoDecision = z
  .looseObject({
    sessionId: z.string().nullish().meta({ description: "The provider's session.", example: sessionId }),
    attemptId: ids.attemptId,
    vendorData: ids.vendorData,
    time: decided.decisionTime,
    data: z
      .looseObject({
        verification: z
          .looseObject({
            decision: outcome.meta({ description: 'The decision.', example: 'approved' }),
            ...decided,
            person: z
              .looseObject({
                dateOfBirth: z
                  .looseObject({
                    value: z.string().nullish().meta({
                      description: 'Evaluated, and neither stored nor logged.',
                      example: '1990-02-03',
                    }),
                  })
                  .nullish()
                  .meta({ description: 'The date of birth.' }),
              })
              .nullish()
              .meta({ description: 'The person. All other fields are dropped.' }),
          })
          .meta({ description: 'The decision.' }),
      })
      .meta({ description: 'The session and its decision.' }),
  })
  .meta({ id: 'FullAutoDecision', description: 'A decision of a Full Auto integration.' })

export const callbackPayload = {
  description:
    'Signed over exactly these bytes. JSON of any other shape is acknowledged, and changes nothing.',
  schema: z.union([event, decision, fullAutoDecision]),
  examples: {
    started: {
      summary: 'The end user opened the hosted flow',
      value: { id: sessionId, attemptId, vendorData: exampleVerificationId, code: 7001 },
    },
    approved: {
      summary: 'The identity check passed',
      value: {
        verification: {
          id: sessionId,
          attemptId,
          vendorData: exampleVerificationId,
          status: 'approved',
          code: 9001,
          reasonCode: null,
          decisionTime: exampleCompletedAt,
          person: { dateOfBirth: '1990-02-03' },
        },
      },
    },
    fullAuto: {
      summary: 'The same from a Full Auto integration',
      value: {
        sessionId,
        attemptId,
        vendorData: exampleVerificationId,
        time: exampleCompletedAt,
        data: {
          verification: {
            decision: 'approved',
            decisionScore: 0.98,
            person: { dateOfBirth: { value: '1990-02-03' } },
          },
        },
      },
    },
  },
}
