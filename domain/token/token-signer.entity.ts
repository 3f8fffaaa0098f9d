import { defineEntity, p } from '@mikro-orm/core'
import { SigningKey } from '../signing-key/signing-key.entity.ts'

const TokenSignerSchema = defineEntity({
  name: 'TokenSigner',
  tableName: 'token_signer',
  uniques: [{ name: 'token_signer_terms', properties: ['kid', 'issuer', 'lifetimeSeconds'] }],
  properties: {
    id: p.smallint().primary(),
    kid: p.manyToOne(SigningKey).mapToPk().fieldName('kid'),
    /** The `iss` of the tokens: BASE_URL when they were issued. */
    issuer: p.string().length(2048),
    /** Of the tokens, in seconds. */
    lifetimeSeconds: p.integer(),
  },
})

/** What tokens have in common, stored once instead of in each. Rows are never changed. */
export class TokenSigner extends TokenSignerSchema.class {}
TokenSignerSchema.setClass(TokenSigner)
