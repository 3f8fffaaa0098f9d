import { defineEntity, p } from '@mikro-orm/core'
import { Tenant } from '../tenant/tenant.entity.ts'

const DeliveryQueueSchema = defineEntity({
  name: 'DeliveryQueue',
  tableName: 'delivery_queue',
  indexes: [
    {
      name: 'delivery_queue_due',
      properties: ['isUnresponsive', 'inFlight', 'dueAt'],
      where: 'due_at is not null',
    },
  ],
  properties: {
    tenantId: p.manyToOne(Tenant).mapToPk().fieldName('tenant_id').primary(),
    /** When the first `waiting` delivery is due, or earlier; null if there is none. */
    dueAt: p.datetime(3).nullable(),
    /** The tenant's deliveries in flight, over all workers. */
    inFlight: p.smallint().default(0),
    /** Whether the receiver kept the last attempt waiting until it failed. */
    isUnresponsive: p.boolean().default(false),
  },
})

/**
 * A tenant's deliveries as a whole, so that a claim reads the tenants that have something due and no others. Only
 * workers write it, and each change to the `waiting` and `in_flight` deliveries of the tenant is made under its row
 * lock. A completion doesn't, so it never waits for a worker: its delivery is `new`.
 */
export class DeliveryQueue extends DeliveryQueueSchema.class {}
DeliveryQueueSchema.setClass(DeliveryQueue)
