import { z } from 'zod'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { providerEndpoint } from '../endpoint.ts'
import { bodyMsMax, parseJson } from '../read-body.ts'
import { callbackPayload } from './callback-payload.ts'
import { resultOfRecorded } from './callback-result.ts'

export const callback = providerEndpoint({
  method: 'POST',
  path: '/verify/callback',
  operationId: 'recordProviderResult',
  tag: 'Callbacks',
  summary: "Receive the identity provider's results",
  description:
    'For the identity provider only: events and decisions, signed over the raw bytes. Returns 200 after the result ' +
    'is committed; the provider retries after any other response.',
  access: { by: 'provider' },
  payload: callbackPayload,
  bytesMax: 1024 * 1024,
  bodyMsMax,
  bytesInFlightMax: 64 * 1024 * 1024,
  response: {
    status: 200,
    description: 'The result is committed, or ignored because its code or shape is unknown.',
    schema: z
      .object({ received: z.literal(true).meta({ description: 'Always true.', example: true }) })
      .meta({ id: 'Acknowledgement', description: 'The callback need not be repeated.' }),
    examples: { received: { summary: 'Received', value: { received: true } } },
  },
  errors: ['FORBIDDEN', 'INVALID_REQUEST_BODY', 'RATE_LIMIT_EXCEEDED'],
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
