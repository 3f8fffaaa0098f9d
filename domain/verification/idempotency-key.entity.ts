import { defineEntity, p } from '@mikro-orm/core'
import { Tenant } from '../tenant/tenant.entity.ts'

const IdempotencyKeySchema = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_key',
  indexes: [{ name: 'idempotency_key_age', properties: ['createdAt'] }],
  properties: {
    tenantId: p.manyToOne(Tenant).mapToPk().fieldName('tenant_id').primary(),
    key: p.string().length(255).primary(),
    /** SHA-256 of the input, hex: the same key with another body is refused. */
    inputHash: p.string().length(64),
    createdAt: p.datetime(3),
    /** Names the request that holds the key while it has no answer. */
    holder: p.uuid(),
    /** Until when a request without an answer is believed to be still running. */
    heldUntil: p.datetime(3),
    /** The first answer, byte for byte; null while it is still running. Sealed: it opens the hosted flow. */
    answer: p.blob().nullable(),
  },
})

export class IdempotencyKey extends IdempotencyKeySchema.class {}
IdempotencyKeySchema.setClass(IdempotencyKey)
