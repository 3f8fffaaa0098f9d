import { defineEntity, p } from '@mikro-orm/core'
import { Tenant } from './tenant.entity.ts'

const WebhookSecretSchema = defineEntity({
  name: 'WebhookSecret',
  tableName: 'webhook_secret',
  indexes: [
    { name: 'webhook_secret_expires_at', properties: ['expiresAt'], where: 'expires_at is not null' },
  ],
  properties: {
    tenantId: p.manyToOne(Tenant).mapToPk().fieldName('tenant_id').primary(),
    id: p.uuid().primary(),
    /** Encrypted with the purpose `webhook-secret:ID`. */
    encryptedSecret: p.blob(),
    createdAt: p.datetime(3),
    /** When a rotated secret stops being valid; null for the current one. */
    expiresAt: p.datetime(3).nullable(),
  },
})

export class WebhookSecret extends WebhookSecretSchema.class {}
WebhookSecretSchema.setClass(WebhookSecret)
