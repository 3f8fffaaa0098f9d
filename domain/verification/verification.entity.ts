import { defineEntity, p } from '@mikro-orm/core'
import { Tenant } from '../tenant/tenant.entity.ts'
import { verificationStatuses } from './verification.policy.ts'

const VerificationSchema = defineEntity({
  name: 'Verification',
  tableName: 'verification',
  indexes: [
    { name: 'verification_newest', properties: ['tenantId', 'id'] },
    { name: 'verification_newest_of_status', properties: ['tenantId', 'status', 'id'] },
    { name: 'verification_closing', properties: ['closesAt'], where: 'completed_at is null' },
    { name: 'verification_asking', properties: ['askProviderAt'], where: 'ask_provider_at is not null' },
    { name: 'verification_forgetting', properties: ['forgetAt'], where: 'forget_at is not null' },
  ],
  properties: {
    /** Version 7, of `createdAt`: ordered by time. */
    id: p.uuid().primary(),
    tenantId: p.manyToOne(Tenant).mapToPk().fieldName('tenant_id'),
    status: p.enum(verificationStatuses),
    providerSessionId: p.string().length(200).unique(),
    /** The provider's attempt that the status speaks of. */
    attemptId: p.string().length(200).nullable(),
    /** Attempts that had to be repeated, or that another followed: what still arrives from them is old. */
    pastAttemptIds: p.array().default([]),
    /** When the provider made the last decision that was applied. */
    decidedAt: p.datetime(3).nullable(),
    /** Raised by every change; a change is written only over the revision that it was decided on. */
    revision: p.integer().default(0),
    confidence: p.double().nullable(),
    over18: p.boolean().nullable(),
    createdAt: p.datetime(3),
    completedAt: p.datetime(3).nullable(),
    /** When an undecided verification is closed. */
    closesAt: p.datetime(3),
    /** When the provider is to be asked for its decision; null while nothing calls for it. */
    askProviderAt: p.datetime(3).nullable(),
    /** How often the provider was asked in vain since the last reason to ask. */
    asksInVain: p.smallint().default(0),
    /** How often the provider was away when the verification was to be closed. */
    closingTries: p.smallint().default(0),
    userAgent: p.string().length(1024).nullable(),
    ip: p.string().length(64).nullable(),
    /** When `userAgent` and `ip` are forgotten; null where there are none (any more). */
    forgetAt: p.datetime(3).nullable(),
  },
})

export class Verification extends VerificationSchema.class {}
VerificationSchema.setClass(Verification)
