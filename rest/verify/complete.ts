import { z } from 'zod'
import { DomainError } from '#domain/errors.ts'
import { tenantEndpoint } from '../endpoint.ts'

export const complete = tenantEndpoint({
  method: 'POST',
  path: '/verify/complete',
  summary: 'Unavailable',
  description:
    'A verification that is backed by the identity provider is completed by its result only: this always fails.',
  access: { by: 'tenant', scope: 'verifications:write', rateClass: 'write' },
  query: z.object({}),
  answer: { status: 200, description: 'Never answered.', schema: z.never() },
  errors: ['VERIFICATION_MUST_USE_WEBHOOK'],
  async handle() {
    throw new DomainError('VERIFICATION_MUST_USE_WEBHOOK')
  },
})
