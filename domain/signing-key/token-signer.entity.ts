import { defineEntity, p } from '@mikro-orm/core'

const TokenSignerSchema = defineEntity({
  name: 'TokenSigner',
  tableName: 'token_signer',
  uniques: [{ name: 'token_signer_terms', properties: ['kid', 'issuer', 'lifetimeSeconds'] }],
  properties: {
    id: p.smallint().primary().autoincrement(false),
    /** Of the signing key. Tokens of a key that is not stored are not valid. */
    kid: p.string().length(64),
    /** The `iss` of the tokens: BASE_URL when they were issued. */
    issuer: p.string().length(2048),
    /** Of the tokens, in seconds. */
    lifetimeSeconds: p.integer(),
    /** How many indexes of its status lists are reserved, of 2,147,483,647; the only column that changes. */
    statusIndexes: p.integer().default(0),
    /** Hides the order of the indexes: 16 random bytes. */
    statusKey: p.blob(),
  },
})

/** What tokens have in common, stored once instead of in each. */
export class TokenSigner extends TokenSignerSchema.class {}
TokenSignerSchema.setClass(TokenSigner)
