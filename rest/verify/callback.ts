import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import type { ProviderEndpoint } from '../endpoint.ts'
import { parseJson } from '../read-json.ts'

/**
 * Receives events and decisions, signed over the raw bytes. Returns 200 after the result is committed, and for an unknown
 * code or shape; the provider retries after any other response.
 */
export const callback: ProviderEndpoint = {
  kind: 'provider',
  method: 'POST',
  path: '/verify/callback',
  operationId: 'recordProviderResult',
  bytesMax: 1024 * 1024,
  bytesInFlightMax: 64 * 1024 * 1024,
  async handle({ scope, callbacks, rawBody }) {
    // Authentic bytes may begin with a byte order mark, and have names in another charset, which aren't read.
    const body = parseJson(new TextDecoder().decode(rawBody))
    const result = callbacks.read(body, scope.now)
    if (result) return await recordProviderResult(scope, result)
    const providerStatus = callbacks.readUnknownStatus(body)
    const fields = {
      bytes: rawBody.length,
      reason: 'unknown_shape',
      ...(providerStatus === undefined ? {} : { providerStatus }),
    }
    scope.log.info(fields, 'A provider callback changed nothing')
    return 'ignored'
  },
}
