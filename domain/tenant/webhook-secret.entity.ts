import { defineEntity, p } from '@mikro-orm/core'
import { Tenant } from './tenant.entity.ts'

const WebhookSecretSchema = defineEntity({
  name: 'WebhookSecret',
  tableName: 'webhook_secret',
  indexes: [
    { name: 'webhook_secret_tenant', properties: ['tenantId', 'createdAt'] },
    { name: 'webhook_secret_ending', properties: ['validUntil'], where: 'valid_until is not null' },
  ],
  properties: {
    id: p.uuid().primary(),
    tenantId: p.manyToOne(Tenant).mapToPk().fieldName('tenant_id'),
    /** Sealed with the purpose `webhook-secret:ID`. */
    sealed: p.blob(),
    createdAt: p.datetime(3),
    /** When a rotated secret stops being valid; null for the current one. */
    validUntil: p.datetime(3).nullable(),
  },
})

export class WebhookSecret extends WebhookSecretSchema.class {}
WebhookSecretSchema.setClass(WebhookSecret)
