import { defineEntity, p } from '@mikro-orm/core'
import { Tenant } from '../tenant/tenant.entity.ts'

const ApiKeyUsageSchema = defineEntity({
  name: 'ApiKeyUsage',
  tableName: 'api_key_usage',
  indexes: [{ name: 'api_key_usage_day', properties: ['day'] }],
  properties: {
    tenantId: p.manyToOne(Tenant).mapToPk().fieldName('tenant_id').primary(),
    apiKeyId: p.uuid().primary(),
    /** UTC. */
    day: p.date().primary(),
    /** Requests that were admitted on the day, by endpoint. */
    starts: p.integer().default(0),
    statusReads: p.integer().default(0),
    submits: p.integer().default(0),
    completes: p.integer().default(0),
    validations: p.integer().default(0),
    /** Of them, by what they were answered: with another status from 400 to 499, or with 429. */
    clientErrors: p.integer().default(0),
    rateLimited: p.integer().default(0),
  },
})

/** How often a key was used on a day. */
export class ApiKeyUsage extends ApiKeyUsageSchema.class {}
ApiKeyUsageSchema.setClass(ApiKeyUsage)
