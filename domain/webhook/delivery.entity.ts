import { defineEntity, p } from '@mikro-orm/core'
import { providerNames } from '../provider-result.ts'
import { Tenant } from '../tenant/tenant.entity.ts'
import { verificationStatuses } from '../verification-status.ts'

/** What tenants are notified of. */
export const eventTypes = ['verification.completed'] as const
export type EventType = (typeof eventTypes)[number]

export const deliveryStates = ['new', 'waiting', 'in_flight', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

const DeliverySchema = defineEntity({
  name: 'Delivery',
  tableName: 'delivery',
  indexes: [
    { name: 'delivery_new', properties: ['tenantId', 'dueAt'], where: "state = 'new'" },
    { name: 'delivery_retry', properties: ['dueAt'], where: "state = 'waiting'" },
    { name: 'delivery_of_tenant_in_flight', properties: ['tenantId'], where: "state = 'in_flight'" },
    // What became of a tenant's events, and which attempt was the latest. A first attempt that succeeds adds one entry.
    {
      name: 'delivery_attempted',
      properties: ['tenantId', 'state', 'attemptedAt'],
      where: 'attempted_at is not null',
    },
  ],
  properties: {
    /** When the verification was completed. The key begins with it, so that rows are added and deleted in its order. */
    createdAt: p.datetime(3).primary(),
    tenantId: p.manyToOne(Tenant).mapToPk().fieldName('tenant_id').primary(),
    verificationId: p.uuid().primary(),
    /**
     * When the next attempt is due. In flight it is the end of the lease of the worker that claimed it, and the fencing
     * token: an outcome is stored only under the claim that it was sent with.
     */
    dueAt: p.datetime(3),
    /** When the last attempt whose outcome is known ended. */
    attemptedAt: p.datetime(3).nullable(),
    /** What the event reports, with `createdAt`: its body is built from these for each attempt, byte for byte. */
    confidence: p.double(),
    /** Attempts begun, 0 to 3. Counted before sending, so that a crash never leads to a fourth. */
    attempts: p.smallint().default(0),
    /** `new` is due. A failed one is `waiting` for the time of its retry, and then `new` again. */
    state: p.enum(deliveryStates).default('new'),
    status: p.enum(verificationStatuses),
    provider: p.enum(providerNames).nativeEnumName('identity_provider').default('veriff'),
    /** The type of the event. */
    type: p.enum(eventTypes).nativeEnumName('webhook_event_type').default('verification.completed'),
    /** Why the last attempt failed, such as `timeout` or `status_503`, or why there was none; null if it was delivered. */
    failure: p.string().length(32).nullable(),
  },
})

/** The delivery of the event of a completed verification to the tenant's receiver. The row is the job. */
export class Delivery extends DeliverySchema.class {}
DeliverySchema.setClass(Delivery)

/** Identifies a delivery. */
export interface DeliveryKey {
  tenantId: string
  verificationId: string
  createdAt: Date
}
