import { defineEntity, p } from '@mikro-orm/core'
import { Tenant } from '../tenant/tenant.entity.ts'

const AuditEventSchema = defineEntity({
  name: 'AuditEvent',
  tableName: 'audit_event',
  properties: {
    tenantId: p.manyToOne(Tenant).mapToPk().fieldName('tenant_id').primary(),
    /** UUID version 7: ordered by time. */
    id: p.uuid().primary(),
    at: p.datetime(3),
    /** The user's subject, or `operator`. */
    actor: p.string().length(255),
    actorIp: p.string().length(64).nullable(),
    /** Noun and verb, such as `api_key.create`. */
    action: p.string().length(64),
    /** Id of the changed object. */
    target: p.string().length(500).nullable(),
    /** What changed; never a secret. */
    changes: p.json<Record<string, unknown>>(),
  },
})

export class AuditEvent extends AuditEventSchema.class {}
AuditEventSchema.setClass(AuditEvent)
