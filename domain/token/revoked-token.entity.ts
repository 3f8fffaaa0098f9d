import { defineEntity, p } from '@mikro-orm/core'

const RevokedTokenSchema = defineEntity({
  name: 'RevokedToken',
  tableName: 'revoked_token',
  properties: {
    /** The `token_signer` of the token. */
    signer: p.smallint().primary(),
    statusIndex: p.integer().primary(),
    /** The UTC day on which the token expires. */
    expiresOn: p.date(),
  },
})

/**
 * A revoked token, for its status list. It names no verification and no tenant, and stays when they are erased. Tokens of a
 * compromised signing key have none: their lists are revoked as a whole.
 */
export class RevokedToken extends RevokedTokenSchema.class {}
RevokedTokenSchema.setClass(RevokedToken)
