import { recordAuditEvent } from '../audit-event/record-audit-event.ts'
import { transaction } from '../database/transaction.ts'
import { invalidParameter } from '../parameters.ts'
import type { Scope } from '../scope.ts'
import { webhookUrlViolation } from '../webhook/webhook-url.policy.ts'
import { auditedUrl } from './audited-url.ts'
import { lockTenant } from './find-tenant.ts'
import { type Settings, settingsOf } from './get-settings.ts'
import { addWebhookSecret, webhookSecrets } from './webhook-secrets.ts'

/**
 * Sets where events are sent; null ends them. The first URL comes with a secret.
 * Throws `INVALID_PARAMETERS` for a URL that events can't be sent to.
 */
export async function setWebhookUrl(
  scope: Scope,
  { tenantId, url }: { tenantId: string; url: string | null },
): Promise<Settings> {
  const fault = url === null ? undefined : webhookUrlViolation(url, scope.rules.addresses)
  if (fault) throw invalidParameter('url', fault)
  return await transaction(scope, async em => {
    const tenant = await lockTenant(em, tenantId)
    if (url !== null && (await webhookSecrets(em, tenantId, scope.now)).length === 0) {
      addWebhookSecret(scope, em, tenantId)
    }
    if (tenant.webhookUrl !== url) {
      const changes = { from: auditedUrl(tenant.webhookUrl), to: auditedUrl(url) }
      tenant.webhookUrl = url
      const action = 'settings.set_webhook_url'
      recordAuditEvent(scope, em, { tenantId, action, target: tenantId, changes })
    }
    await em.flush()
    return await settingsOf(scope, em, tenant)
  })
}
