import { defineEntity, p } from '@mikro-orm/core'
import { verificationStatuses } from '../verification-status.ts'

const VerificationOutcomeSchema = defineEntity({
  name: 'VerificationOutcome',
  tableName: 'verification_outcome',
  properties: {
    tenantId: p.uuid().primary(),
    status: p.enum(verificationStatuses).nativeEnumName('verification_status').primary(),
    verificationId: p.uuid().primary(),
  },
})

/**
 * The status of a completed verification, for lists by status; except `approved`, which is frequent enough to be found
 * among all verifications. A quarter of the rows, and so of the storage, that an index on `verification` would take.
 */
export class VerificationOutcome extends VerificationOutcomeSchema.class {}
VerificationOutcomeSchema.setClass(VerificationOutcome)
