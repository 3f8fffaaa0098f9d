import { defineEntity, p } from '@mikro-orm/core'
import { verificationStatuses } from '../verification-status.ts'

const OpenVerificationSchema = defineEntity({
  name: 'OpenVerification',
  tableName: 'open_verification',
  indexes: [
    { name: 'open_verification_closes_at', properties: ['closesAt'] },
    { name: 'open_verification_poll_at', properties: ['pollAt'], where: 'poll_at is not null' },
    { name: 'open_verification_status', properties: ['tenantId', 'status', 'verificationId'] },
  ],
  properties: {
    verificationId: p.uuid().primary(),
    tenantId: p.uuid(),
    /** When it is closed; while a worker closes it, when the worker's lease expires. */
    closesAt: p.datetime(3),
    /** When the provider is polled for its decision next; null where nothing has scheduled polling. */
    pollAt: p.datetime(3).nullable(),
    /** That of the verification, for lists by status. */
    status: p.enum(verificationStatuses).nativeEnumName('verification_status'),
    /** Polls without a decision, from where `polling.policy.ts` begins: the next delay depends on it. */
    pollAttempts: p.smallint().default(0),
    /** Failed attempts to close the verification because the provider was unavailable. */
    closeAttempts: p.smallint().default(0),
  },
})

/**
 * A verification that is not completed: the queue for closing and polling. Inserted with the verification, deleted by
 * its completion, so that it stays small and the indexes for due work with it.
 */
export class OpenVerification extends OpenVerificationSchema.class {}
OpenVerificationSchema.setClass(OpenVerification)
