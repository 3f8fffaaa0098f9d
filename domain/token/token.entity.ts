import { defineEntity, p } from '@mikro-orm/core'
import { SigningKey } from '../signing-key/signing-key.entity.ts'
import { Verification } from '../verification/verification.entity.ts'

const TokenSchema = defineEntity({
  name: 'Token',
  tableName: 'token',
  indexes: [{ name: 'token_signing_key', properties: ['kid', 'expiresAt'] }],
  properties: {
    tenantId: p.uuid().primary(),
    verificationId: p.uuid().primary(),
    jti: p.uuid(),
    kid: p.manyToOne(SigningKey).mapToPk().fieldName('kid'),
    /** The signed token itself. */
    jwt: p.text(),
    over18: p.boolean(),
    issuedAt: p.datetime(3),
    expiresAt: p.datetime(3),
    revokedAt: p.datetime(3).nullable(),
    /** Declares the foreign key; the ids above are what is read and written. */
    verification: p
      .oneToOne(Verification)
      .joinColumns('tenant_id', 'verification_id')
      .nullable()
      .unique(false)
      .updateRule('no action')
      .deleteRule('no action'),
  },
})

/** The age token of an approved verification. */
export class Token extends TokenSchema.class {}
TokenSchema.setClass(Token)
