import { z } from 'zod'
import type { StatusReport } from '#domain/verification/status-report.ts'
import { verificationStatuses } from '#domain/verification/verification.policy.ts'
import { verificationIdFault } from './verification-id-fault.ts'

/** The response of status and of submit. */
export const verificationStatus = z
  .object({
    verificationId: z.string().meta({ description: 'The identifier that start returned.' }),
    status: z.enum(verificationStatuses).meta({ description: 'The current status.' }),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({ description: 'Confidence in the result. Null until the verification is completed.' }),
    over18: z
      .boolean()
      .nullable()
      .optional()
      .meta({
        description:
          'Whether the person is 18 or over; null if the age could not be confirmed. Present once the ' +
          'verification is completed. `approved` alone does not mean 18 or over.',
      }),
    createdAt: z.iso.datetime({ precision: 3 }).meta({ description: 'When the verification was started.' }),
    completedAt: z.iso
      .datetime({ precision: 3 })
      .nullable()
      .meta({ description: 'When the verification was completed. Null until then.' }),
    token: z
      .string()
      .optional()
      .meta({ description: 'The signed age token. Present once the verification is approved.' }),
  })
  .meta({ id: 'VerificationStatus' })

export function presentStatus(report: StatusReport): z.input<typeof verificationStatus> {
  return {
    verificationId: report.verificationId,
    status: report.status,
    confidence: report.confidence,
    over18: report.completedAt ? report.over18 : undefined,
    createdAt: report.createdAt.toISOString(),
    completedAt: report.completedAt?.toISOString() ?? null,
    token: report.token ?? undefined,
  }
}

/** The verificationId as an input: a UUID of version 7, normalised to lower case. */
export const verificationId = z
  .uuidv7({ error: verificationIdFault })
  .transform(id => id.toLowerCase())
  .meta({
    description: 'The identifier that start returned.',
    example: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1',
  })
