import { auditedUrl, recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { httpsUrlViolation } from '../network/https-url.policy.ts'
import { invalidParameter } from '../parameters.ts'
import type { TenantScope } from '../scope.ts'
import { lockTenant } from '../tenant/find-tenant.ts'
import { readSettings, type Settings } from './get-settings.ts'
import { type NewUrl, requireUnchanged } from './require-unchanged.ts'

/**
 * Sets where the identity provider redirects the user's browser at the end; null leaves the user on its page.
 * Throws `INVALID_PARAMETERS` for anything but an https URL, and as `requireUnchanged` does.
 */
export async function setReturnUrl(scope: TenantScope, { url, expectedUrl }: NewUrl): Promise<Settings> {
  const violation = url === null ? undefined : httpsUrlViolation(url)
  if (violation) throw invalidParameter('url', violation)
  const { tenantId } = scope.actor
  return await transaction(scope, async em => {
    const tenant = await lockTenant(scope, em)
    requireUnchanged(expectedUrl, tenant.returnUrl ?? null)
    if (tenant.returnUrl !== url) {
      const changes = { from: auditedUrl(tenant.returnUrl), to: auditedUrl(url) }
      tenant.returnUrl = url
      recordAuditEvent(scope, em, { action: 'settings.set_return_url', target: tenantId, changes })
    }
    return await readSettings(scope, em, tenant)
  })
}
