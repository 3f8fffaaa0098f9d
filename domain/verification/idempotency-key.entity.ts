import { defineEntity, p } from '@mikro-orm/core'
import { Tenant } from '../tenant/tenant.entity.ts'

const IdempotencyKeySchema = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_key',
  indexes: [{ name: 'idempotency_key_created_at', properties: ['createdAt'] }],
  properties: {
    tenantId: p.manyToOne(Tenant).mapToPk().fieldName('tenant_id').primary(),
    key: p.string().length(255).primary(),
    /** SHA-256 of the input. The same key with another input is rejected. */
    requestHash: p.blob(),
    createdAt: p.datetime(3),
    /** Identifies the request that holds the lock while there is no response; null afterwards. */
    lockOwner: p.uuid().nullable(),
    /** Until when a request without a response is assumed to be running; null once there is one. */
    lockedUntil: p.datetime(3).nullable(),
    /** The first response, byte for byte; null while it is pending. Encrypted, as it opens the hosted flow. */
    response: p.blob().nullable(),
  },
})

export class IdempotencyKey extends IdempotencyKeySchema.class {}
IdempotencyKeySchema.setClass(IdempotencyKey)
