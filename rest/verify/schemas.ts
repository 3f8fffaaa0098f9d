import { isIP } from 'node:net'
import { z } from 'zod'
import { providerName, verificationStatuses } from '#domain/verification/verification.policy.ts'

/** A UUID of version 7, in the lower case that it was given out in. */
export const verificationId = z
  .uuidv7('must be the verificationId that start returned')
  .transform(id => id.toLowerCase())
  .meta({
    description: 'The identifier that start returned.',
    example: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9fa0b1',
  })

/** Text that can be stored as it is: no NUL, no half of a surrogate pair. */
export const storableText = (lengthMax: number) =>
  z
    .string()
    .max(lengthMax, `must be at most ${lengthMax} characters`)
    .refine(text => !text.includes('\0') && text.isWellFormed(), 'must be well-formed text without NUL')

export const ipAddress = z
  .string()
  .max(45)
  .refine(text => isIP(text) !== 0 && !text.includes('%'), 'must be an IPv4 or IPv6 address')

export const provider = z.literal(providerName)

const status = z.enum(verificationStatuses)

/** How a verification stands: the answer of status and of submit. */
export const statusAnswer = z
  .object({
    verificationId: z.string(),
    status,
    confidence: z.number().min(0).max(1).nullable().meta({ description: 'Null until completion.' }),
    createdAt: z.iso.datetime({ precision: 3 }),
    completedAt: z.iso.datetime({ precision: 3 }).nullable().meta({ description: 'Null until completion.' }),
    token: z.string().optional().meta({ description: 'The signed age token, once approved.' }),
  })
  .meta({ id: 'VerificationStatus' })
