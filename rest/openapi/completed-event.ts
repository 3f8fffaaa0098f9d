import { z } from 'zod'
import { providerNames } from '#domain/provider-result.ts'
import { completedStatuses } from '#domain/verification/verification.policy.ts'
import type { VerificationStatus } from '#domain/verification-status.ts'
import { completedEventType } from '#domain/webhook/completed-event.ts'
import type { Example } from '../endpoint.ts'
import { exampleCompletedAt, exampleTenantId, exampleVerificationId } from './examples.ts'

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
        confidence: z
          .number()
          .min(0)
          .max(1)
          .meta({ description: "Confidence in the identity provider's decision.", example: 0.98 }),
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

function exampleOf(status: VerificationStatus, confidence: number, summary: string): Example<CompletedEvent> {
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
  approved: exampleOf('approved', 0.98, 'The identity check passed; it says nothing about the age'),
  denied: exampleOf('denied', 0.12, 'The identity check failed'),
  rejected: exampleOf('rejected', 0, 'The session expired, or the end user abandoned it'),
  submitted: exampleOf('submitted', 0, 'The session expired before the identity provider decided'),
  resubmission: exampleOf('resubmission', 0, 'The session expired before the end user submitted again'),
}
