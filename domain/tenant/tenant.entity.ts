import { defineEntity, type Opt, p } from '@mikro-orm/core'
import { Plan } from './plan.entity.ts'

export const subscriptionStates = ['active', 'inactive'] as const
export type SubscriptionState = (typeof subscriptionStates)[number]

const TenantSchema = defineEntity({
  name: 'Tenant',
  tableName: 'tenant',
  indexes: [
    {
      name: 'tenant_provisioned_by',
      properties: ['provisionedByIssuer', 'provisionedBySubject'],
      where: 'provisioned_by_subject is not null',
    },
  ],
  properties: {
    id: p.uuid().primary(),
    name: p.string().length(200),
    plan: p.manyToOne(Plan).fieldName('plan_name'),
    subscription: p.enum(subscriptionStates),
    createdAt: p.datetime(3),
    /** The user who provisioned it in the console; null if the operator created it. */
    provisionedByIssuer: p.string().length(500).nullable(),
    provisionedBySubject: p.string().length(255).nullable(),
    disabledAt: p.datetime(3).nullable(),
    webhookUrl: p.string().length(2048).nullable(),
    /** When its receiver accepted an event for the first time, stored once that delivery is deleted; null until then. */
    webhookAcceptedAt: p.datetime(3).nullable(),
    returnUrl: p.string().length(2048).nullable(),
    /** Its verifications are test ones, and nothing of it can be taken for real. Never changes. */
    test: p.boolean().default(false),
    /** Days after which completed verifications are deleted; null for as long as the service keeps them. */
    retentionDays: p.integer().nullable(),
    /** How many test events it has had, which is the id of the last one. */
    testEvents: p.integer().default(0),
    /** The highest number of a change that retention has deleted; null until then. */
    deletedChange: p.bigint().nullable(),
  },
})

/** An API customer. */
export class Tenant extends TenantSchema.class {
  get enabled(): Opt<boolean> {
    return !this.disabledAt
  }
}
TenantSchema.setClass(Tenant)
