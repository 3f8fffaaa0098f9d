import { defineEntity, p } from '@mikro-orm/core'
import type { JWK } from 'jose'

const SigningKeySchema = defineEntity({
  name: 'SigningKey',
  tableName: 'signing_key',
  uniques: [
    {
      name: 'signing_key_one_active',
      expression:
        'create unique index "signing_key_one_active" on "signing_key" ((retired_at is null)) where retired_at is null',
    },
  ],
  properties: {
    kid: p.string().length(64).primary(),
    publicJwk: p.json<JWK>(),
    /** The private JWK, encrypted with the purpose `signing-key:KID`. */
    encryptedPrivateJwk: p.blob(),
    createdAt: p.datetime(3),
    retiredAt: p.datetime(3).nullable(),
    /** When the last token signed by a retired key has expired and the key leaves the JWKS. */
    publishedUntil: p.datetime(3).nullable(),
  },
})

export class SigningKey extends SigningKeySchema.class {}
SigningKeySchema.setClass(SigningKey)
