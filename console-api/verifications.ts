import { z } from 'zod'
import { getAuditEvent } from '#domain/audit/get-audit-event.ts'
import { eraseVerification } from '#domain/deletion/erase-verification.ts'
import { erasureReceipt } from '#domain/deletion/erasure-receipt.ts'
import { ageClaims } from '#domain/signing-key/age-token.ts'
import { decisionReasons } from '#domain/verification/decision.ts'
import {
  type EventDelivery,
  getVerificationTimeline,
} from '#domain/verification/get-verification-timeline.ts'
import { listVerifications } from '#domain/verification/list-verifications.ts'
import { over18Values, states } from '#domain/verification/verification-filter.ts'
import { verificationStatuses } from '#domain/verification-status.ts'
import { deliveryStates } from '#domain/webhook/delivery.entity.ts'
import { describeFailure } from '#domain/webhook/delivery-failure.ts'
import { deliveryFailure } from './deliveries.ts'
import { boundedList, boundedText, dateTime, pageFields, pageSchema, timestamp } from './fields.ts'
import { memberProcedure, readProcedure, router } from './trpc.ts'

const verification = z.object({
  verificationId: z.string(),
  status: z.enum(verificationStatuses),
  confidence: z.number().nullable(),
  /** Null until completion, where the age is unknown, and once the token is revoked. */
  over18: z.boolean().nullable(),
  createdAt: timestamp,
  completedAt: timestamp.nullable(),
  tokenRevokedAt: timestamp.nullable(),
  /** In a few words, why it was not approved, or what a resubmission is for; null if there is no such reason. */
  reason: z.string().nullable(),
})

/** What was reported with a change. `description` says it in words; null if it is not known. */
const report = z.object({
  code: z.int().nullable(),
  reasonCode: z.string().nullable(),
  attempt: z.int().nullable(),
  description: z.string().nullable(),
})

/** A change of status. `applied` is false for a late result that contradicts the reported one. */
const change = report.extend({
  at: timestamp,
  status: z.enum(verificationStatuses),
  source: z.enum(['provider', 'service']),
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

/** The delivery of the event. */
const delivery = z.object({
  state: z.enum(deliveryStates),
  /** Of 3 attempts, those that have begun. */
  attempts: z.int(),
  attemptedAt: timestamp.nullable(),
  /** When the next attempt is due; of no meaning once the event is delivered or given up. */
  dueAt: timestamp,
  /** Of the last attempt. */
  failure: deliveryFailure.nullable(),
})

const erasure = z.object({
  verificationId: z.string(),
  erasedAt: timestamp,
  erasedBy: z.enum(['member', 'operator']),
  /** Rows that were deleted here; the timeline is part of the verification's. */
  deleted: z.object({
    verifications: z.int(),
    tokens: z.int(),
    deliveries: z.int(),
    idempotencyKeys: z.int(),
  }),
  /** At the provider: the state, since when, and the place while it is `queued`, or deletion is `not_enabled` there. */
  session: z.object({
    state: z.enum(['queued', 'not_enabled', 'deleted', 'unknown', 'not_asked']),
    at: timestamp,
    place: z.int().nullable(),
  }),
  /** All of it as a signed JWT, to be kept. */
  receipt: z.string(),
})

const status = z.enum(verificationStatuses)
const statusMessage = `Must be a status, or a list of 1 to ${verificationStatuses.length}.`

/** Conditions that exclude each other select nothing. */
export const verificationFilter = {
  /** One or several. */
  status: z.union([status, boundedList(status, verificationStatuses.length)], statusMessage).optional(),
  state: z.enum(states).optional(),
  /** Of completed ones; `revoked` ones are of no other value. */
  over18: z.enum(over18Values).optional(),
  /** Of the decision. */
  reasonCode: boundedText.optional(),
  /** Created at or after this time. */
  from: dateTime.optional(),
  /** Created before this time. */
  to: dateTime.optional(),
  /** Completed at or after this time. */
  completedFrom: dateTime.optional(),
  /** Completed before this time. */
  completedTo: dateTime.optional(),
  /** A verificationId, or a part of one. */
  search: boundedText.trim().optional(),
}

const filter = z.strictObject({ ...pageFields, ...verificationFilter }).prefault({})

export const verificationsRouter = router({
  /**
   * Newest first. Where the work of one call ends before the page is full, the page is short or empty: verifications
   * before `searchedUntil` are not searched yet, and `nextCursor` goes on.
   */
  list: memberProcedure('read')
    .input(filter)
    .output(pageSchema(verification).extend({ searchedUntil: timestamp.nullable() }))
    .query(({ ctx: { scope }, input }) => listVerifications(scope, input)),

  get: memberProcedure('read')
    .input(z.strictObject({ verificationId: z.uuid() }))
    .output(
      verification.extend({
        /** The change that completed it. */
        decision: report.nullable(),
        /** What to tell the user; null unless it was denied. */
        advice: z.string().nullable(),
        /** When it is completed without a decision; null once it is completed. */
        closesAt: timestamp.nullable(),
        timeline: z.array(change),
        token: token.nullable(),
        /** Whether a webhook URL was set at the completion; null before, and where it was not stored. */
        hasWebhook: z.boolean().nullable(),
        /** Stored for 24 hours after the completion; null afterwards, and without an event. */
        delivery: delivery.nullable(),
      }),
    )
    .query(async ({ ctx: { scope }, input }) => {
      const { delivery, ...found } = await getVerificationTimeline(scope, input)
      return { ...found, delivery: delivery && presentDelivery(delivery) }
    }),

  /**
   * Erases it here, with everything but the counts of usage and the ID in the audit log, and queues its session for the
   * deletion at the provider.
   */
  erase: memberProcedure('tenant')
    .input(z.strictObject({ verificationId: z.uuid() }))
    .output(erasure)
    .mutation(({ ctx: { scope }, input }) => eraseVerification(scope, input)),

  /** The receipt of an erasure as it stands now, by the verification or by the erasure's event in the audit log. */
  receipt: memberProcedure('tenant')
    .input(
      z.union([z.strictObject({ verificationId: z.uuid() }), z.strictObject({ auditEventId: z.uuid() })]),
    )
    .output(erasure)
    .query(async ({ ctx: { scope }, input }) => {
      if ('verificationId' in input) return await erasureReceipt(scope, input)
      const { target } = await getAuditEvent(scope, input)
      return await erasureReceipt(scope, { verificationId: target ?? '' })
    }),

  /** The provider's documented reasons, for the filter. */
  reasons: readProcedure
    .output(z.object({ items: z.array(z.object({ reasonCode: z.string(), description: z.string() })) }))
    .query(() => ({ items: decisionReasons })),
})

function presentDelivery({ failure, ...found }: EventDelivery): z.input<typeof delivery> {
  return { ...found, failure: failure === null ? null : describeFailure(failure) }
}
