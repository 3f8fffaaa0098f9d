import { webhookUrlViolation } from '../network/webhook-url.policy.ts'
import type { Scope } from '../scope.ts'

/**
 * Checks a webhook URL without saving it, by the rules that `setWebhookUrl` applies.
 * Returns a public sentence that describes the violation; null for a valid URL.
 */
export function checkWebhookUrl({ rules }: Scope, { url }: { url: string }): string | null {
  return webhookUrlViolation(url, rules.addresses) ?? null
}
