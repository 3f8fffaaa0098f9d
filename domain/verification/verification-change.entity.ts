import { defineEntity, p } from '@mikro-orm/core'
import { Verification } from './verification.entity.ts'
import { verificationStatuses } from './verification.policy.ts'

const changeSources = ['provider', 'tenant', 'service'] as const
export type ChangeSource = (typeof changeSources)[number]

const VerificationChangeSchema = defineEntity({
  name: 'VerificationChange',
  tableName: 'verification_change',
  properties: {
    tenantId: p.uuid().primary(),
    verificationId: p.uuid().primary(),
    /** The verification's revision after the change: 1 for the first, in the order of the timeline. */
    revision: p.integer().primary(),
    at: p.datetime(3),
    /** The status after the change; for a contradiction, the status that was reported and not applied. */
    status: p.enum(verificationStatuses),
    source: p.enum(changeSources),
    /** False for a late result that contradicts the completed status: recorded, but not applied. */
    applied: p.boolean(),
    /** From here on: what the provider reported. */
    attemptId: p.string().length(200).nullable(),
    code: p.integer().nullable(),
    reasonCode: p.string().length(100).nullable(),
    score: p.double().nullable(),
    decidedAt: p.datetime(3).nullable(),
    /** Declares the foreign key; the ids above are what is read and written. */
    verification: p
      .manyToOne(Verification)
      .joinColumns('tenant_id', 'verification_id')
      .nullable()
      .updateRule('no action')
      .deleteRule('no action'),
  },
})

/** One entry of a verification's timeline. */
export class VerificationChange extends VerificationChangeSchema.class {}
VerificationChangeSchema.setClass(VerificationChange)
