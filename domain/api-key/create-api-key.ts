import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { DomainError } from '../errors.ts'
import { firstIdAt, newId } from '../ids.ts'
import { invalidParameter, lineOfText, readParameter } from '../parameters.ts'
import { type ApiKeyScope, apiKeyScopes } from '../permissions.ts'
import type { Scope, TenantScope } from '../scope.ts'
import { changeTenant } from '../tenant/find-tenant.ts'
import type { Tenant } from '../tenant/tenant.entity.ts'
import { dayMs } from '../usage/usage-period.ts'
import { ApiKey } from './api-key.entity.ts'
import { expiryMax, keysPerDayMax, liveKeysMax } from './api-key.policy.ts'
import { displayStart, hashKeyValue, newKeyValue } from './key-value.ts'

export interface NewApiKey {
  name: string
  /** All scopes if omitted. */
  scopes?: readonly ApiKeyScope[] | undefined
  /** The key never expires if omitted. */
  expiresAt?: Date | null | undefined
}

export interface CreatedApiKey {
  key: ApiKey
  /** Available only now; the service stores a hash. */
  value: string
}

/**
 * Throws `INVALID_PARAMETERS` for an invalid name, an unknown scope, or an expiry in the past or after the year 9999, and
 * `NOT_PROVISIONED` if the tenant has 100 live keys, or has created 1,000 within 24 hours.
 */
export async function createApiKey(scope: TenantScope, input: NewApiKey): Promise<CreatedApiKey> {
  const name = readParameter('name', apiKeyName, input.name)
  const scopes = [...new Set(readParameter('scopes', apiKeyScopeList, input.scopes ?? [...apiKeyScopes]))]
  const expiresAt = readExpiry(scope, input.expiresAt ?? null)
  return await changeTenant(scope, async (em, tenant) => {
    await requireFreeKey(scope, em)
    const created = addApiKey(scope, em, tenant, { name, scopes, expiresAt })
    const { id: target } = created.key
    const changes = { name, scopes, expiresAt: expiresAt?.toISOString() ?? null }
    recordAuditEvent(scope, em, { action: 'api_key.create', target, changes })
    return created
  })
}

/** Adds a key, within the transaction that has locked the tenant. */
export function addApiKey(
  { now, actor }: TenantScope,
  em: EntityManager,
  tenant: Tenant,
  key: { name: string; scopes: ApiKeyScope[]; expiresAt: Date | null },
): CreatedApiKey {
  const value = newKeyValue(tenant)
  const creator = actor.kind === 'member' ? actor : undefined
  const created = em.create(ApiKey, {
    ...key,
    id: newId(now),
    tenantId: tenant.id,
    hash: hashKeyValue(value),
    displayStart: displayStart(value),
    createdAt: now,
    createdByKind: actor.kind === 'api_key' ? null : actor.kind,
    createdByIssuer: creator?.issuer ?? null,
    createdBySubject: creator?.subject ?? null,
    revokedAt: null,
    lastUsedAt: null,
  })
  return { key: created, value }
}

/**
 * Throws `NOT_PROVISIONED` if the tenant has 100 live keys, or has created 1,000 within 24 hours. The tenant is locked, so
 * that concurrent calls can't exceed a maximum.
 */
export async function requireFreeKey(
  { actor: { tenantId }, now }: TenantScope,
  em: EntityManager,
): Promise<void> {
  const isLive = { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] }
  if ((await em.count(ApiKey, { tenantId, ...isLive })) >= liveKeysMax) {
    throw new DomainError('NOT_PROVISIONED', {
      message: `This tenant has ${liveKeysMax} live API keys, the maximum. Revoke one first.`,
    })
  }
  const dayAgo = firstIdAt(new Date(now.getTime() - dayMs))
  if ((await em.count(ApiKey, { tenantId, id: { $gt: dayAgo } })) >= keysPerDayMax) {
    throw new DomainError('NOT_PROVISIONED', {
      message: `This tenant has created ${keysPerDayMax.toLocaleString('en')} API keys within 24 hours, the maximum. Use one of them, or try again tomorrow.`,
    })
  }
}

function readExpiry({ now }: Scope, expiresAt: Date | null): Date | null {
  if (expiresAt === null) return null
  if (Number.isNaN(expiresAt.getTime())) throw invalidParameter('expiresAt', 'The expiry is not a date.')
  if (expiresAt > expiryMax)
    throw invalidParameter('expiresAt', 'The expiry must not be after the year 9999.')
  if (expiresAt > now) return expiresAt
  throw invalidParameter('expiresAt', 'The expiry must be in the future.')
}

export const apiKeyName = lineOfText('The name', 100)

export const apiKeyScopeList = z
  .array(z.enum(apiKeyScopes, `The scopes must be of ${apiKeyScopes.join(', ')}.`))
  .min(1, 'A key needs at least one scope.')
  .max(apiKeyScopes.length, 'A scope must be named once only.')
