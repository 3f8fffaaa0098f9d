import { httpsUrlViolation } from '../network/https-url.policy.ts'
import type { Scope } from '../scope.ts'

/**
 * Checks a return URL without saving it, by the rules that `setReturnUrl` applies.
 * Returns a public sentence that describes the violation; null for a valid URL.
 */
export function checkReturnUrl(_scope: Scope, { url }: { url: string }): string | null {
  return httpsUrlViolation(url) ?? null
}
