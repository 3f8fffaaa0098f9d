import { defineEntity, p } from '@mikro-orm/core'
import { providerNames } from '../provider-result.ts'
import { verificationStatuses } from '../verification-status.ts'

const VerificationSchema = defineEntity({
  name: 'Verification',
  tableName: 'verification',
  // No column is indexed that changes before the completion, so that only the last change of a verification touches an index.
  indexes: [
    { name: 'verification_tenant', properties: ['tenantId', 'id'] },
    { name: 'verification_changes', properties: ['tenantId', 'change'], where: 'change is not null' },
  ],
  // The order of the columns leaves no padding between them.
  properties: {
    /** UUID version 7: it contains the time of creation, so that rows of one time lie together. */
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    completedAt: p.datetime(3).nullable(),
    /** When the provider made the last decision that was applied. */
    decidedAt: p.datetime(3).nullable(),
    confidence: p.double().nullable(),
    tokenRevokedAt: p.datetime(3).nullable(),
    /** The `jti` of the age token; null if there is none. It was issued at `completedAt`. */
    tokenId: p.uuid().nullable(),
    status: p.enum(verificationStatuses).nativeEnumName('verification_status'),
    /** Who verifies: where its session is. */
    provider: p.enum(providerNames).nativeEnumName('identity_provider').default('veriff'),
    /** The place of the age token in the status lists of its `token_signer`. */
    tokenStatusIndex: p.integer().nullable(),
    /** Incremented by every change. A change is written only over the revision that it was decided on. */
    revision: p.smallint().default(0),
    /** The `token_signer` of the age token. */
    tokenSigner: p.smallint().nullable(),
    /** Whether its session is at the test provider, and nothing of it can be taken for real. Never changes. */
    test: p.boolean().default(false),
    over18: p.boolean().nullable(),
    /** Whether a webhook URL was set when it was completed; null before, and where it was not stored. */
    hasWebhook: p.boolean().nullable(),
    providerSessionId: p.string().length(200),
    /** The provider's attempt that `status` refers to. */
    attemptId: p.string().length(200).nullable(),
    /** Attempts that had to be repeated or were superseded, in order: further results for them are stale. */
    pastAttemptIds: p.array().nullable(),
    /** The 64 bytes of the age token's ES256 signature; all other parts of the token follow from the row. */
    tokenSignature: p.blob().nullable(),
    /** The number of its completion, or a later revocation, among those of the tenant: `change-numbers.ts`. */
    change: p.bigint().nullable(),
    /** The changes, oldest first; null if there are none. Statements read it as JSON. */
    timeline: p.text().columnType('verification_change[]').nullable().lazy(),
  },
})

export class Verification extends VerificationSchema.class {}
VerificationSchema.setClass(Verification)
