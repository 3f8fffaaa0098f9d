import { defineEntity, p } from '@mikro-orm/core'
import { roles } from '../permissions.ts'
import { Tenant } from '../tenant/tenant.entity.ts'
import { emailLengthMax, nameLengthMax } from './profile.policy.ts'

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
    /** From the user's ID token, for other members to recognise them; null if it has none. */
    name: p.string().length(nameLengthMax).nullable(),
    email: p.string().length(emailLengthMax).nullable(),
  },
})

/** A user's role in a tenant. */
export class Member extends MemberSchema.class {}
MemberSchema.setClass(Member)

/** A user of a sign-in provider. */
export interface MemberUser {
  issuer: string
  subject: string
}
