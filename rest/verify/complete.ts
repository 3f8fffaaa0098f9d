import { z } from 'zod'
import { DomainError } from '#domain/errors.ts'
import { tenantEndpoint } from '../endpoint.ts'

export const complete = tenantEndpoint({
  method: 'POST',
  path: '/verify/complete',
  operationId: 'completeVerification',
  tag: 'Verifications',
  summary: 'Complete a verification (not available)',
  description: 'Always fails: only a result from the identity provider completes a verification.',
  access: { scope: 'verifications:write', rateClass: 'write' },
  query: z.object({}),
  response: { status: 200, description: 'Never returned.', schema: z.never() },
  errors: ['VERIFICATION_MUST_USE_WEBHOOK'],
  async handle() {
    throw new DomainError('VERIFICATION_MUST_USE_WEBHOOK')
  },
})
