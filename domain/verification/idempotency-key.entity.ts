import { defineEntity, p } from '@mikro-orm/core'
import { Tenant } from '../tenant/tenant.entity.ts'

const IdempotencyKeySchema = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_key',
  indexes: [{ name: 'idempotency_key_verification_id', properties: ['verificationId'] }],
  properties: {
    tenantId: p.manyToOne(Tenant).mapToPk().fieldName('tenant_id').primary(),
    /** The first half of the SHA-256 of the key. */
    keyDigest: p.uuid().primary(),
    /** The first half of the SHA-256 of the input. The same key with another input is rejected. */
    requestDigest: p.uuid(),
    /** What the first request starts. While there is no response, it identifies the owner of the lock. */
    verificationId: p.uuid(),
    createdAt: p.datetime(3),
    /** Until when a request without a response is assumed to be running; null once there is one. */
    lockedUntil: p.datetime(3).nullable(),
    /** The rest of the first response; null while it is pending. Encrypted, as it opens the hosted flow. */
    encryptedSessionUrl: p.blob().nullable(),
  },
})

export class IdempotencyKey extends IdempotencyKeySchema.class {}
IdempotencyKeySchema.setClass(IdempotencyKey)
