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
    { name: 'delivery_waiting', properties: ['tenantId', 'dueAt'], where: "state = 'waiting'" },
    { name: 'delivery_in_flight', properties: ['leaseUntil'], where: "state = 'in_flight'" },
  ],
  properties: {
    /** When the verification was completed. The key begins with it, so that rows are added and deleted in its order. */
    createdAt: p.datetime(3).primary(),
    tenantId: p.manyToOne(Tenant).mapToPk().fieldName('tenant_id').primary(),
    verificationId: p.uuid().primary(),
    dueAt: p.datetime(3),
    /** Until when the worker that claimed it owns it. */
    leaseUntil: p.datetime(3).nullable(),
    /** When the last attempt whose outcome is known ended. */
    attemptedAt: p.datetime(3).nullable(),
    /** What the event reports, with `createdAt`: its body is built from these for each attempt, byte for byte. */
    confidence: p.double(),
    /** The fencing token of the claim: a result is stored only under the claim that it was sent with. */
    claimToken: p.uuid().nullable(),
    /** Attempts begun, 0 to 3. Counted before sending, so that a crash never leads to a fourth. */
    attempts: p.smallint().default(0),
    /**
     * `new` until the first claim that reads it, whether or not that claims it: then it is `waiting`, and its tenant's
     * `delivery_queue` has the time when it is due.
     */
    state: p.enum(deliveryStates).default('new'),
    status: p.enum(verificationStatuses),
    provider: p.enum(providerNames).nativeEnumName('identity_provider').default('veriff'),
    /** The type of the event. */
    type: p.enum(eventTypes).nativeEnumName('webhook_event_type').default('verification.completed'),
    /** The W3C trace context of the completion, which attempts continue; null if it was not traced. */
    traceparent: p.text().nullable(),
    /** Why it failed, such as `timeout` or `status_503`; null if it was delivered. */
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
