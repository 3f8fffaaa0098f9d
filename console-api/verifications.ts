import { z } from 'zod'
import { ageClaims } from '#domain/token/age-claims.ts'
import { getVerificationTimeline } from '#domain/verification/get-verification-timeline.ts'
import { listVerifications } from '#domain/verification/list-verifications.ts'
import { verificationStatuses } from '#domain/verification/verification.policy.ts'
import { boundedText, dateTime, pageFields, pageOf, timestamp } from './fields.ts'
import { memberProcedure, router, standbyProcedure } from './trpc.ts'

const verification = z.object({
  verificationId: z.string(),
  status: z.enum(verificationStatuses),
  confidence: z.number().nullable(),
  createdAt: timestamp,
  completedAt: timestamp.nullable(),
})

/** A change of status. `applied` is false for a late result that contradicts the reported one. */
const change = z.object({
  at: timestamp,
  status: z.enum(verificationStatuses),
  source: z.enum(['provider', 'tenant', 'service']),
  applied: z.boolean(),
})

const token = z.object({
  jti: z.string(),
  /** The bearer token; null for members without the right `tokens`. */
  jwt: z.string().nullable(),
  kid: z.string(),
  /** The signed claims; null if the token cannot be decoded. */
  claims: ageClaims.nullable(),
  over18: z.boolean(),
  issuedAt: timestamp,
  expiresAt: timestamp,
  revokedAt: timestamp.nullable(),
})

const filter = z
  .strictObject({
    ...pageFields,
    status: z.enum(verificationStatuses).optional(),
    /** Created at or after this time. */
    from: dateTime.optional(),
    /** Created before this time. */
    to: dateTime.optional(),
    /** A verificationId or a prefix of one. */
    search: boundedText.trim().optional(),
  })
  .prefault({})

export const verificationsRouter = router({
  /** Newest first. */
  list: standbyProcedure('read')
    .input(filter)
    .output(pageOf(verification))
    .query(({ ctx: { scope }, input }) => listVerifications(scope, input)),

  get: memberProcedure('read')
    .input(z.strictObject({ verificationId: z.uuid() }))
    .output(verification.extend({ timeline: z.array(change), token: token.nullable() }))
    .query(({ ctx: { scope }, input }) => getVerificationTimeline(scope, input)),
})
