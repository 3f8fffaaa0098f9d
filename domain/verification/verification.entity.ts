import { defineEntity, p } from '@mikro-orm/core'
import { Tenant } from '../tenant/tenant.entity.ts'
import { providerName, verificationStatuses } from './verification.policy.ts'

const VerificationSchema = defineEntity({
  name: 'Verification',
  tableName: 'verification',
  indexes: [
    { name: 'verification_status', properties: ['tenantId', 'status', 'id'] },
    { name: 'verification_closes_at', properties: ['closesAt'], where: 'completed_at is null' },
    { name: 'verification_poll_at', properties: ['pollAt'], where: 'poll_at is not null' },
    { name: 'verification_purge_at', properties: ['purgeAt'], where: 'purge_at is not null' },
  ],
  uniques: [{ name: 'verification_provider_session', properties: ['provider', 'providerSessionId'] }],
  properties: {
    tenantId: p.manyToOne(Tenant).mapToPk().fieldName('tenant_id').primary(),
    /** UUID version 7 of `createdAt`, so ordered by time. */
    id: p.uuid().primary(),
    status: p.enum(verificationStatuses),
    /** The identity provider that hosts the session. */
    provider: p.string().length(50).default(providerName),
    providerSessionId: p.string().length(200),
    /** The provider's attempt that `status` refers to. */
    attemptId: p.string().length(200).nullable(),
    /** Attempts that had to be repeated or were superseded: further results for them are stale. */
    pastAttemptIds: p.array().default([]),
    /** When the provider made the last decision that was applied. */
    decidedAt: p.datetime(3).nullable(),
    /** Incremented by every change. A change is written only over the revision that it was decided on. */
    revision: p.integer().default(0),
    confidence: p.double().nullable(),
    over18: p.boolean().nullable(),
    createdAt: p.datetime(3),
    completedAt: p.datetime(3).nullable(),
    /** When an undecided verification is closed. */
    closesAt: p.datetime(3),
    /** When the provider is polled for its decision next; null while no polling is scheduled. */
    pollAt: p.datetime(3).nullable(),
    /** Polls without a decision since polling was last scheduled by an event. */
    pollAttempts: p.smallint().default(0),
    /** Failed attempts to close the verification because the provider was unavailable. */
    closeAttempts: p.smallint().default(0),
    userAgent: p.string().length(1024).nullable(),
    ip: p.string().length(64).nullable(),
    /** When `userAgent` and `ip` are deleted; null if there are none (any more). */
    purgeAt: p.datetime(3).nullable(),
  },
})

export class Verification extends VerificationSchema.class {}
VerificationSchema.setClass(Verification)
