import { defineEntity, p } from '@mikro-orm/core'
import { Tenant } from '../tenant/tenant.entity.ts'

const deliveryStates = ['pending', 'in_flight', 'delivered', 'failed'] as const

const DeliverySchema = defineEntity({
  name: 'Delivery',
  tableName: 'delivery',
  indexes: [
    { name: 'delivery_waiting', properties: ['tenantId', 'dueAt', 'id'], where: "state = 'pending'" },
    { name: 'delivery_in_flight', properties: ['leaseUntil', 'tenantId'], where: "state = 'in_flight'" },
    { name: 'delivery_age', properties: ['createdAt'] },
  ],
  properties: {
    id: p.uuid().primary(),
    tenantId: p.manyToOne(Tenant).mapToPk().fieldName('tenant_id'),
    /** One event per verification. */
    verificationId: p.uuid().unique(),
    /** The exact text that is signed and sent. */
    body: p.text(),
    state: p.enum(deliveryStates),
    /** Attempts begun, 0 to 3: counted before sending, so that a crash never makes a fourth. */
    attempts: p.smallint().default(0),
    dueAt: p.datetime(3),
    /** Until when the claiming worker holds it. */
    leaseUntil: p.datetime(3).nullable(),
    /** Fences off a worker that was only slow: a result is stored only under the claim that sent it. */
    claimToken: p.uuid().nullable(),
    createdAt: p.datetime(3),
    finishedAt: p.datetime(3).nullable(),
  },
})

/** An event on its way to a tenant's receiver; the row is itself the job. */
export class Delivery extends DeliverySchema.class {}
DeliverySchema.setClass(Delivery)
