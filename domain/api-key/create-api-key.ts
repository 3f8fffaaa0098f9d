import { z } from 'zod'
import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { newId } from '../ids.ts'
import { invalidParameter, readParameter } from '../parameters.ts'
import type { Scope } from '../scope.ts'
import { lockTenant } from '../tenant/find-tenant.ts'
import { ApiKey } from './api-key.entity.ts'
import { type ApiKeyScope, apiKeyName, apiKeyScopes, displayStartLength } from './api-key.policy.ts'
import { hashKeyValue, newKeyValue } from './key-value.ts'

export interface NewApiKey {
  tenantId: string
  name: string
  /** All of them where none are named. */
  scopes?: readonly ApiKeyScope[] | undefined
  /** Never, where it is not named. */
  expiresAt?: Date | null | undefined
}

export interface CreatedApiKey {
  key: ApiKey
  /** The only time that it is seen. */
  value: string
}

/** Throws `INVALID_PARAMETERS` for a bad name, an unknown scope, or an expiry in the past. */
export async function createApiKey(scope: Scope, input: NewApiKey): Promise<CreatedApiKey> {
  const name = readParameter('name', apiKeyName, input.name)
  const scopes = [...new Set(readParameter('scopes', scopeList, input.scopes ?? [...apiKeyScopes]))]
  const expiresAt = readExpiry(scope, input.expiresAt ?? null)
  const { tenantId } = input
  const value = newKeyValue()
  return await transaction(scope, async em => {
    await lockTenant(em, tenantId)
    const key = em.create(ApiKey, {
      ...{ id: newId(scope.now), tenantId, name, scopes, expiresAt, createdAt: scope.now },
      ...{ hash: hashKeyValue(value), displayStart: value.slice(0, displayStartLength) },
      ...{ revokedAt: null, lastUsedAt: null },
    })
    const changes = { name, scopes, expiresAt: expiresAt?.toISOString() ?? null }
    recordAuditEvent(scope, em, { tenantId, action: 'api_key.create', target: key.id, changes })
    return { key, value }
  })
}

const scopeList = z
  .array(z.enum(apiKeyScopes, `The scopes must be of ${apiKeyScopes.join(', ')}.`))
  .min(1, 'A key needs at least one scope.')

/** An operator may make a key that has expired already, to see what its user would meet. */
function readExpiry({ actor, now }: Scope, expiresAt: Date | null): Date | null {
  if (expiresAt === null) return null
  if (Number.isNaN(expiresAt.getTime())) throw invalidParameter('expiresAt', 'The expiry is not a date.')
  if (expiresAt > now || actor.kind === 'operator') return expiresAt
  throw invalidParameter('expiresAt', 'The expiry must be in the future.')
}
