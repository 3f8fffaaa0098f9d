import { z } from 'zod'
import type { StatusReport } from '#domain/verification/status-report.ts'
import { verificationStatuses } from '#domain/verification-status.ts'
import {
  confidenceMeaning,
  exampleCompletedAt,
  exampleCreatedAt,
  exampleRevokedAt,
  exampleToken,
  exampleVerificationId,
} from '../examples.ts'

/** The response of status and of submit. */
export const verificationStatus = z
  .object({
    verificationId: z.string().meta({
      description: 'The identifier that start returned.',
      format: 'uuid',
      example: exampleVerificationId,
    }),
    status: z.enum(verificationStatuses).meta({
      description:
        '`pending`: the end user has not opened the hosted flow. `started`: they have. `submitted`: the identity ' +
        'provider is processing what they submitted. `resubmission`: they have to submit again. `approved`: the ' +
        'identity check passed, which does not mean 18 or over: see `over18`. `denied`: it failed. `rejected`: the ' +
        'session expired or was abandoned. The status is final once `completedAt` is set.',
      example: 'approved',
    }),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({
        description: `${confidenceMeaning} Null until the verification is completed.`,
        example: 0.98,
      }),
    over18: z
      .boolean()
      .nullable()
      .optional()
      .meta({
        description:
          'Whether the person is 18 or over; null if the age could not be confirmed, and once the token is revoked. ' +
          'Admit the person only if it is `true`: `approved` alone does not mean 18 or over. Present once the ' +
          'verification is completed, and kept when the token has expired.',
        example: true,
      }),
    createdAt: z.string().meta({
      description: 'When the verification was started, in UTC.',
      format: 'date-time',
      example: exampleCreatedAt,
    }),
    completedAt: z.string().meta({ format: 'date-time' }).nullable().meta({
      description: 'When the verification was completed, in UTC. Null until then.',
      example: exampleCompletedAt,
    }),
    token: z.string().optional().meta({
      description:
        'The signed age token. Present once the verification is approved, also for a minor, until it is revoked.',
      example: exampleToken,
    }),
    tokenRevokedAt: z
      .string()
      .optional()
      .meta({
        description:
          'When the token was revoked, or its signing key was reported as compromised, in UTC: the person must not be ' +
          'admitted any more. Present once the token is revoked; `status`, `confidence` and `completedAt` stay as they are.',
        format: 'date-time',
        example: exampleRevokedAt,
      }),
  })
  .meta({ id: 'VerificationStatus', description: 'A verification and its result.' })

export type Status = z.input<typeof verificationStatus>

/** What is not there is left out, what is not known yet is null. */
export function presentStatus(report: StatusReport): Status {
  return {
    verificationId: report.verificationId,
    status: report.status,
    confidence: report.confidence,
    over18: report.completedAt ? report.over18 : undefined,
    createdAt: report.createdAt.toISOString(),
    completedAt: report.completedAt?.toISOString() ?? null,
    token: report.token ?? undefined,
    tokenRevokedAt: report.tokenRevokedAt?.toISOString(),
  }
}

/** The verificationId as an input: a UUID of version 7, normalised to lower case. */
export const verificationId = z
  .uuidv7({ error: verificationIdFault })
  .transform(id => id.toLowerCase())
  .meta({
    param: { id: 'VerificationId' },
    description: 'The identifier that start returned.',
    example: exampleVerificationId,
  })

/** What is wrong with a verificationId that is not a UUID of version 7; undefined where it's not a text at all. */
function verificationIdFault({ input }: { input?: unknown }): string | undefined {
  if (typeof input !== 'string') return undefined
  const expected = 'must be the verificationId that start returned'
  return uuid.test(input) ? `is not one of ours: it ${expected}, a UUID of version 7` : expected
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
