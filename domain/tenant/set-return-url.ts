import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { httpsUrlViolation } from '../https-url.policy.ts'
import { invalidParameter } from '../parameters.ts'
import type { Scope } from '../scope.ts'
import { auditedUrl } from './audited-url.ts'
import { lockTenant } from './find-tenant.ts'
import { type Settings, settingsOf } from './get-settings.ts'

/**
 * Sets where the provider sends the user's browser afterwards; null leaves the user with the provider.
 * Throws `INVALID_PARAMETERS` for anything but an https URL.
 */
export async function setReturnUrl(
  scope: Scope,
  { tenantId, url }: { tenantId: string; url: string | null },
): Promise<Settings> {
  const fault = url === null ? undefined : httpsUrlViolation(url)
  if (fault) throw invalidParameter('url', fault)
  return await transaction(scope, async em => {
    const tenant = await lockTenant(em, tenantId)
    if (tenant.returnUrl !== url) {
      const changes = { from: auditedUrl(tenant.returnUrl), to: auditedUrl(url) }
      tenant.returnUrl = url
      recordAuditEvent(scope, em, {
        tenantId,
        action: 'settings.set_return_url',
        target: tenantId,
        changes,
      })
    }
    return await settingsOf(scope, em, tenant)
  })
}
