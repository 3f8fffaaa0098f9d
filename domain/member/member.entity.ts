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
    role: p.enum(roles),
    addedAt: p.datetime(3),
  },
})

/** A user's role in a tenant. */
export class Member extends MemberSchema.class {}
MemberSchema.setClass(Member)
