import { defineEntity, p } from '@mikro-orm/core'
import type { ApiKeyScope } from '../permissions.ts'
import { Tenant } from '../tenant/tenant.entity.ts'
import { hasExpired } from './api-key.policy.ts'

export const keyCreatorKinds = ['member', 'operator'] as const

const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  indexes: [
    // Counts a tenant's live keys without reading those that ended.
    { name: 'api_key_unrevoked', properties: ['tenantId', 'expiresAt'], where: 'revoked_at is null' },
    {
      name: 'api_key_ended',
      expression: 'create index "api_key_ended" on "api_key" (least(revoked_at, expires_at))',
    },
  ],
  properties: {
    tenantId: p.manyToOne(Tenant).mapToPk().fieldName('tenant_id').primary(),
    id: p.uuid().primary(),
    name: p.string().length(100),
    /** SHA-256 of the value, hex. The value itself is not stored. */
    hash: p.string().length(64).unique(),
    /** The first characters of the value, for display. */
    displayStart: p.string().length(16),
    scopes: p.array<ApiKeyScope>(),
    createdAt: p.datetime(3),
    /** Who created it, or the key that it replaces; null where that was not recorded. */
    createdByKind: p.enum(keyCreatorKinds).nullable(),
    /** Of a member, whether or not they still are one. */
    createdByIssuer: p.string().length(500).nullable(),
    createdBySubject: p.string().length(255).nullable(),
    expiresAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    /** Truncated to the minute, but not to before the creation. */
    lastUsedAt: p.datetime(3).nullable(),
  },
})

export class ApiKey extends ApiKeySchema.class {
  /** Whether the key is neither revoked nor expired. */
  isLive(now: Date): boolean {
    return !this.revokedAt && !hasExpired(this.expiresAt ?? null, now)
  }
}
ApiKeySchema.setClass(ApiKey)
