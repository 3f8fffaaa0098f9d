import { defineEntity, p } from '@mikro-orm/core'
import { Tenant } from '../tenant/tenant.entity.ts'

export const auditActorKinds = ['member', 'api_key', 'operator', 'service'] as const
export type AuditActorKind = (typeof auditActorKinds)[number]

const eventProperties = {
  at: p.datetime(3),
  actorKind: p.enum(auditActorKinds),
  /** Issuer of a member's sign-in provider; null for other kinds of actors. */
  actorIssuer: p.string().length(500).nullable(),
  /** A member's subject, the id of an API key, or the operating-system user of the operator, if known. */
  actorSubject: p.string().length(255).nullable(),
  /** The person behind the operator's system user, as far as is known. Tenants see neither. */
  actorName: p.string().length(255).nullable(),
  actorIp: p.string().length(64).nullable(),
  /** Noun and verb, such as `api_key.create`. */
  action: p.string().length(64),
  /** Id of the changed object. */
  target: p.string().length(500).nullable(),
  /** What changed; never a secret. */
  changes: p.json<Record<string, unknown>>(),
}

const AuditEventSchema = defineEntity({
  name: 'AuditEvent',
  tableName: 'audit_event',
  indexes: [{ name: 'audit_event_target', properties: ['target'] }],
  properties: {
    tenantId: p.manyToOne(Tenant).mapToPk().fieldName('tenant_id').primary(),
    /** UUID version 7: ordered by time. */
    id: p.uuid().primary(),
    ...eventProperties,
  },
})

/** What was done in a tenant, for its members. */
export class AuditEvent extends AuditEventSchema.class {}
AuditEventSchema.setClass(AuditEvent)

const ServiceAuditEventSchema = defineEntity({
  name: 'ServiceAuditEvent',
  tableName: 'service_audit_event',
  properties: {
    /** UUID version 7: ordered by time. */
    id: p.uuid().primary(),
    ...eventProperties,
  },
})

/** What was done to the whole service, such as a change of a plan or of a key; for the operator only. */
export class ServiceAuditEvent extends ServiceAuditEventSchema.class {}
ServiceAuditEventSchema.setClass(ServiceAuditEvent)
