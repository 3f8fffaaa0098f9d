import { auditedUrl, recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { webhookUrlViolation } from '../network/webhook-url.policy.ts'
import { invalidParameter } from '../parameters.ts'
import type { TenantScope } from '../scope.ts'
import { lockTenant } from '../tenant/find-tenant.ts'
import { readSettings, type Settings } from './get-settings.ts'
import { type NewUrl, requireUnchanged } from './require-unchanged.ts'
import { addWebhookSecret, webhookSecrets } from './webhook-secrets.ts'

/**
 * Sets where webhook events are sent; null stops them. The first URL also creates the webhook secret.
 * Throws `INVALID_PARAMETERS` for a URL that webhook events can't be sent to, and as `requireUnchanged` does.
 */
export async function setWebhookUrl(scope: TenantScope, { url, expectedUrl }: NewUrl): Promise<Settings> {
  const violation = url === null ? undefined : webhookUrlViolation(url, scope.rules.addresses)
  if (violation) throw invalidParameter('url', violation)
  const { tenantId } = scope.actor
  return await transaction(scope, async em => {
    const tenant = await lockTenant(scope, em)
    requireUnchanged(expectedUrl, tenant.webhookUrl ?? null)
    if (url !== null && (await webhookSecrets(em, tenantId, scope.now)).length === 0) {
      addWebhookSecret(scope, em, tenantId)
    }
    if (tenant.webhookUrl !== url) {
      const changes = { from: auditedUrl(tenant.webhookUrl), to: auditedUrl(url) }
      tenant.webhookUrl = url
      recordAuditEvent(scope, em, { action: 'settings.set_webhook_url', target: tenantId, changes })
    }
    await em.flush()
    return await readSettings(scope, em, tenant)
  })
}
