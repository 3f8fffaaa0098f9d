import { z } from 'zod'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { providerEndpoint } from '../endpoint.ts'
import { bodyMsMax, parseJson } from '../read-body.ts'
import { resultOfRecorded } from './callback-result.ts'

/**
 * Receives events and decisions, signed over the raw bytes. Returns 200 after the result is committed, and for an unknown
 * code or shape; the provider retries after any other response.
 */
export const callback = providerEndpoint({
  method: 'POST',
  path: '/verify/callback',
  operationId: 'recordProviderResult',
  access: { by: 'provider' },
  bytesMax: 1024 * 1024,
  bodyMsMax,
  bytesInFlightMax: 64 * 1024 * 1024,
  response: { status: 200, schema: z.object({ received: z.literal(true) }) },
  async handle({ scope, callbacks, countCallback, rawBody }) {
    const result = callbacks.read(parseJson(rawBody), scope.now)
    const recorded = result && (await recordProviderResult(scope, result))
    countCallback(recorded ? resultOfRecorded[recorded] : 'ignored')
    if (!result) {
      const fields = { bytes: rawBody.length, reason: 'unknown_shape' }
      scope.log.info(fields, 'A provider callback changed nothing')
    }
    return { received: true } as const
  },
})
