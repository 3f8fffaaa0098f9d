import { defineEntity, p } from '@mikro-orm/core'

const TokenSignerSchema = defineEntity({
  name: 'TokenSigner',
  tableName: 'token_signer',
  uniques: [{ name: 'token_signer_terms', properties: ['kid', 'issuer', 'lifetimeSeconds'] }],
  properties: {
    id: p.smallint().primary(),
    /** Of the signing key. Tokens of a key that is not stored are not valid. */
    kid: p.string().length(64),
    /** The `iss` of the tokens: BASE_URL when they were issued. */
    issuer: p.string().length(2048),
    /** Of the tokens, in seconds. */
    lifetimeSeconds: p.integer(),
  },
})

/** What tokens have in common, stored once instead of in each. Rows are never changed. */
export class TokenSigner extends TokenSignerSchema.class {}
TokenSignerSchema.setClass(TokenSigner)
