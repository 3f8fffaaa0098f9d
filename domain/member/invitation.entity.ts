import { defineEntity, p } from '@mikro-orm/core'
import { roles } from '../permissions.ts'
import { Tenant } from '../tenant/tenant.entity.ts'

const InvitationSchema = defineEntity({
  name: 'Invitation',
  tableName: 'invitation',
  indexes: [
    {
      name: 'invitation_open',
      properties: ['tenantId', 'expiresAt'],
      where: 'accepted_at is null and revoked_at is null',
    },
  ],
  properties: {
    tenantId: p.manyToOne(Tenant).mapToPk().fieldName('tenant_id').primary(),
    /** UUID version 7: ordered by time. */
    id: p.uuid().primary(),
    /** The role of the user who accepts it. */
    role: p.enum(roles),
    /** SHA-256 of the code, hex. The code itself is not stored. */
    codeHash: p.string().length(64).unique(),
    inviterIssuer: p.string().length(500),
    inviterSubject: p.string().length(255),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
    acceptedAt: p.datetime(3).nullable(),
    acceptedByIssuer: p.string().length(500).nullable(),
    acceptedBySubject: p.string().length(255).nullable(),
    revokedAt: p.datetime(3).nullable(),
    /** Whom it is for, in the inviter's words; null if not said. */
    note: p.string().length(100).nullable(),
  },
})

export type InvitationState = 'open' | 'accepted' | 'revoked' | 'expired'

/** An offer of membership in a tenant to whoever has the code, for one person. */
export class Invitation extends InvitationSchema.class {
  /** It expires from the millisecond of `expiresAt` on. */
  state(now: Date): InvitationState {
    if (this.acceptedAt) return 'accepted'
    if (this.revokedAt) return 'revoked'
    return this.expiresAt <= now ? 'expired' : 'open'
  }
}
InvitationSchema.setClass(Invitation)
