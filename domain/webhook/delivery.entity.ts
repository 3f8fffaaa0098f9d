import { defineEntity, p } from '@mikro-orm/core'
import { Tenant } from '../tenant/tenant.entity.ts'

const deliveryStates = ['pending', 'in_flight', 'delivered', 'failed'] as const

const DeliverySchema = defineEntity({
  name: 'Delivery',
  tableName: 'delivery',
  indexes: [
    {
      name: 'delivery_pending',
      properties: ['tenantId', 'dueAt', 'verificationId', 'type'],
      where: "state = 'pending'",
    },
    { name: 'delivery_in_flight', properties: ['leaseUntil', 'tenantId'], where: "state = 'in_flight'" },
    { name: 'delivery_created_at', properties: ['createdAt'] },
  ],
  properties: {
    tenantId: p.manyToOne(Tenant).mapToPk().fieldName('tenant_id').primary(),
    verificationId: p.uuid().primary(),
    /** The type of the webhook event: one of each type per verification. */
    type: p.string().length(100).primary(),
    /** The exact text that is signed and sent. */
    body: p.text(),
    state: p.enum(deliveryStates),
    /** Attempts begun, 0 to 3. Counted before sending, so that a crash never leads to a fourth. */
    attempts: p.smallint().default(0),
    dueAt: p.datetime(3),
    /** Until when the worker that claimed it owns it. */
    leaseUntil: p.datetime(3).nullable(),
    /** The fencing token of the claim: a result is stored only under the claim that it was sent with. */
    claimToken: p.uuid().nullable(),
    createdAt: p.datetime(3),
  },
})

/** The delivery of a webhook event to a tenant's receiver. The row is the job. */
export class Delivery extends DeliverySchema.class {}
DeliverySchema.setClass(Delivery)

/** Identifies a delivery. */
export interface DeliveryKey {
  tenantId: string
  verificationId: string
  /** The type of the webhook event. */
  type: string
}
