import { auditedUrl, recordAuditEvent } from '../audit/record-audit-event.ts'
import { DomainError } from '../errors.ts'
import { httpsUrlViolation } from '../network/https-url.policy.ts'
import { webhookUrlViolation } from '../network/webhook-url.policy.ts'
import { invalidParameter, readParameter } from '../parameters.ts'
import type { TenantScope } from '../scope.ts'
import { tenantName } from './create-tenant.ts'
import { changeTenant } from './find-tenant.ts'
import { readSettings, type Settings } from './get-settings.ts'
import type { Tenant } from './tenant.entity.ts'
import { addWebhookSecret, webhookSecrets } from './webhook-secrets.ts'

/** Throws `INVALID_PARAMETERS` for an invalid name, and as `requireUnchanged` does. */
export async function renameTenant(
  scope: TenantScope,
  input: { name: string; expectedName?: string | undefined },
): Promise<Tenant> {
  const to = readParameter('name', tenantName, input.name)
  return await changeTenant(scope, async (em, tenant) => {
    const from = tenant.name
    requireUnchanged(input.expectedName, from, to)
    if (from === to) return tenant
    tenant.name = to
    recordAuditEvent(scope, em, { action: 'tenant.rename', target: tenant.id, changes: { from, to } })
    return tenant
  })
}

export interface NewUrl {
  /** Null clears the setting. */
  url: string | null
  /** What the caller saw; undefined if any URL may be overwritten. */
  expectedUrl?: string | null | undefined
}

/**
 * Sets where webhook events are sent; null stops them. The first URL also creates the webhook secret.
 * Throws `INVALID_PARAMETERS` for a URL that webhook events can't be sent to, and as `requireUnchanged` does.
 */
export async function setWebhookUrl(scope: TenantScope, input: NewUrl): Promise<Settings> {
  const violation = input.url === null ? undefined : webhookUrlViolation(input.url, scope.rules.addresses)
  return await setUrl(scope, 'webhookUrl', input, violation)
}

/**
 * Sets where users are sent on when the identity provider sends them back; null leaves them on its page.
 * Throws `INVALID_PARAMETERS` for anything but an https URL, and as `requireUnchanged` does.
 */
export async function setReturnUrl(scope: TenantScope, input: NewUrl): Promise<Settings> {
  const violation = input.url === null ? undefined : httpsUrlViolation(input.url)
  return await setUrl(scope, 'returnUrl', input, violation)
}

const urlActions = { webhookUrl: 'settings.set_webhook_url', returnUrl: 'settings.set_return_url' } as const

async function setUrl(
  scope: TenantScope,
  setting: keyof typeof urlActions,
  { url, expectedUrl }: NewUrl,
  violation: string | undefined,
): Promise<Settings> {
  if (violation) throw invalidParameter('url', violation)
  return await changeTenant(scope, async (em, tenant) => {
    const stored = tenant[setting] ?? null
    requireUnchanged(expectedUrl, stored, url)
    if (stored !== url) {
      const changes = { from: auditedUrl(stored), to: auditedUrl(url) }
      tenant[setting] = url
      recordAuditEvent(scope, em, { action: urlActions[setting], target: tenant.id, changes })
    }
    const needsSecret = tenant.webhookUrl && (await webhookSecrets(em, tenant.id, scope.now)).length === 0
    if (needsSecret) addWebhookSecret(scope, em, tenant.id)
    await em.flush()
    return await readSettings(scope, em, tenant)
  })
}

/**
 * For a change that overwrites a value: `expected` is what the caller saw, or undefined if any value may be overwritten.
 * Throws `NOT_PROVISIONED` if the stored value is another one, because somebody else changed it, unless it is what the caller
 * wants: after a response that got lost, the change is asked for again.
 */
function requireUnchanged<Value>(expected: Value | undefined, stored: Value, wanted: Value): void {
  if (expected === undefined || expected === stored || stored === wanted) return
  throw new DomainError('NOT_PROVISIONED', {
    message: 'This was changed in the meantime. Nothing was saved: save again to overwrite it.',
  })
}
