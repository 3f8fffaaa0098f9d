import { z } from 'zod'
import { DomainError } from '#domain/errors.ts'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import type { ProviderEndpoint } from '../endpoint.ts'
import { parseJson } from '../read-body.ts'

export const callback: ProviderEndpoint = {
  method: 'POST',
  path: '/verify/callback',
  summary: "Receive the provider's results",
  description:
    'For the identity provider only: events and decisions, signed over their raw bytes. Answered with 200 after ' +
    'the result is committed; any other answer makes the provider send it again.',
  access: { by: 'provider' },
  bytesMax: 1024 * 1024,
  answer: {
    status: 200,
    description: 'Committed, or of no known code or shape.',
    schema: z.object({ received: z.literal(true) }),
  },
  errors: ['FORBIDDEN', 'INVALID_REQUEST_BODY'],
  async handle({ scope, callbacks, headers, rawBody }) {
    if (!callbacks.authentic(headers, rawBody)) {
      throw new DomainError('FORBIDDEN', { message: 'The signature is missing or wrong.' })
    }
    const result = callbacks.read(parseJson(rawBody), scope.now)
    if (result) await recordProviderResult(scope, result)
    else scope.log.info({ bytes: rawBody.length }, 'The provider sent a callback of an unknown code or shape')
    return { received: true }
  },
}
