import { defineEntity, p } from '@mikro-orm/core'
import { Tenant } from '../tenant/tenant.entity.ts'
import { roles } from './member.policy.ts'

const MemberSchema = defineEntity({
  name: 'Member',
  tableName: 'member',
  indexes: [{ name: 'member_user', properties: ['issuer', 'subject'] }],
  properties: {
    tenantId: p.manyToOne(Tenant).mapToPk().fieldName('tenant_id').primary(),
    /** Issuer of the sign-in provider. */
    issuer: p.string().length(500).primary(),
    subject: p.string().length(255).primary(),
    /** UUID version 7: the order of a tenant's members. */
    id: p.uuid(),
    role: p.enum(roles),
    addedAt: p.datetime(3),
    /** When the user last called the console, to the day; null if never since they were added. */
    lastSeenAt: p.datetime(3).nullable(),
  },
})

/** A user's role in a tenant. */
export class Member extends MemberSchema.class {}
MemberSchema.setClass(Member)
