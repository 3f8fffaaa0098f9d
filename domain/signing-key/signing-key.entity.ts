import { defineEntity, p } from '@mikro-orm/core'
import type { JWK } from 'jose'

const SigningKeySchema = defineEntity({
  name: 'SigningKey',
  tableName: 'signing_key',
  uniques: [
    {
      name: 'signing_key_active',
      expression:
        'create unique index "signing_key_active" on "signing_key" ("test") where retired_at is null',
    },
  ],
  properties: {
    kid: p.string().length(64).primary(),
    publicJwk: p.json<JWK>(),
    /** The private JWK, encrypted with the purpose `signing-key:KID`. */
    encryptedPrivateJwk: p.blob(),
    createdAt: p.datetime(3),
    /** When it begins to sign. It is published from its creation on, so that cached key sets contain it by then. */
    signsFrom: p.datetime(3),
    /** When the next key begins to sign; null for the newest key. */
    retiredAt: p.datetime(3).nullable(),
    /** When the last token signed by a retired key has expired and the key leaves the JWKS. */
    publishedUntil: p.datetime(3).nullable(),
    /** When the private key was reported as leaked: it is not published any more, and its tokens are revoked. */
    compromisedAt: p.datetime(3).nullable(),
    /** Whether it signs for test tenants, and only for them. */
    test: p.boolean().default(false),
  },
})

export class SigningKey extends SigningKeySchema.class {}
SigningKeySchema.setClass(SigningKey)
