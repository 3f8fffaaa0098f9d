import { defineEntity, p } from '@mikro-orm/core'
import { Verification } from './verification.entity.ts'
import { verificationStatuses } from './verification.policy.ts'

const changeSources = ['provider', 'tenant', 'service'] as const
export type ChangeSource = (typeof changeSources)[number]

const VerificationChangeSchema = defineEntity({
  name: 'VerificationChange',
  tableName: 'verification_change',
  indexes: [{ name: 'verification_change_timeline', properties: ['verificationId', 'id'] }],
  properties: {
    id: p.bigint('string').primary().autoincrement(),
    verificationId: p.manyToOne(Verification).mapToPk().fieldName('verification_id'),
    at: p.datetime(3),
    /** The status after the change; for a late contradiction, the one that was reported in vain. */
    status: p.enum(verificationStatuses),
    source: p.enum(changeSources),
    /** False for a late result that contradicts what the tenant was told: recorded, without effect. */
    applied: p.boolean(),
    attemptId: p.string().length(200).nullable(),
    code: p.integer().nullable(),
    reasonCode: p.string().length(100).nullable(),
    score: p.double().nullable(),
    decidedAt: p.datetime(3).nullable(),
  },
})

/** One entry of a verification's timeline. */
export class VerificationChange extends VerificationChangeSchema.class {}
VerificationChangeSchema.setClass(VerificationChange)
