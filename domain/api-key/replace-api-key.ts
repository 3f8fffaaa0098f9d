import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { DomainError } from '../errors.ts'
import { readParameter, wholeNumber } from '../parameters.ts'
import type { TenantScope } from '../scope.ts'
import { changeLockedTenant } from '../tenant/change-locked-tenant.ts'
import type { ApiKey } from './api-key.entity.ts'
import { expiryMax, overlapHours } from './api-key.policy.ts'
import { addApiKey, type CreatedApiKey, requireFreeKey } from './create-api-key.ts'
import { lockApiKey } from './revoke-api-key.ts'

export interface KeyReplacement {
  apiKeyId: string
  /** How long both keys can be used, 0 to 168 hours; 24 by default. With 0 the old key is revoked at once. */
  overlapHours?: number | undefined
}

export interface ReplacedApiKey extends CreatedApiKey {
  /** The replaced key, with the time at which it ends. */
  previous: ApiKey
}

/**
 * Creates a key of the same name, scopes and lifetime, and lets the old one expire after the overlap, or when it would have
 * expired anyway. When this returns, every process knows when the old key ends. Throws `INVALID_PARAMETERS` for an unknown
 * key or another overlap, and `NOT_PROVISIONED` for a key that has ended, or if the tenant would have more than 100 live keys or
 * has created 1,000 within 24 hours.
 */
export async function replaceApiKey(scope: TenantScope, input: KeyReplacement): Promise<ReplacedApiKey> {
  const hours = readParameter('overlapHours', overlap, input.overlapHours)
  const { apiKeyId } = input
  const { now } = scope
  return await changeLockedTenant(scope, async (em, tenant) => {
    const previous = await lockApiKey(em, tenant.id, apiKeyId)
    if (!previous.isLive(now)) throw hasEnded()
    const expiresAt = lifetimeFrom(now, previous)
    endAfter(previous, hours, now)
    await em.flush()
    await requireFreeKey(scope, em)
    const { name, scopes } = previous
    const { key, value } = addApiKey(scope, em, tenant, { name, scopes: [...scopes], expiresAt })
    const changes = {
      name,
      replacement: key.id,
      overlapHours: hours,
      expiresAt: expiresAt?.toISOString() ?? null,
    }
    recordAuditEvent(scope, em, { action: 'api_key.replace', target: apiKeyId, changes })
    return { key, value, previous }
  })
}

const overlapRule = `The overlap must be ${overlapHours.min} to ${overlapHours.max} hours.`
const overlap = wholeNumber(overlapHours, overlapRule).default(overlapHours.default)

/** As long after `now` as the key's own expiry is after its creation, or the latest expiry; null if it never expires. */
function lifetimeFrom(now: Date, { createdAt, expiresAt }: ApiKey): Date | null {
  if (!expiresAt) return null
  const end = now.getTime() + expiresAt.getTime() - createdAt.getTime()
  return new Date(Math.min(end, expiryMax.getTime()))
}

function endAfter(key: ApiKey, hours: number, now: Date): void {
  if (hours === 0) {
    key.revokedAt = now
    return
  }
  const end = new Date(now.getTime() + hours * 60 * 60 * 1000)
  key.expiresAt = key.expiresAt && key.expiresAt < end ? key.expiresAt : end
}

function hasEnded(): DomainError {
  return new DomainError('NOT_PROVISIONED', {
    message: 'This key was revoked or has expired, so it cannot be replaced. Create another one.',
  })
}
