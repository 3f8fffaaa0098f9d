import { z } from 'zod'
import { getVerificationStatus } from '#domain/verification/get-verification-status.ts'
import { tenantEndpoint } from '../endpoint.ts'
import { presentStatus } from './present-status.ts'
import { statusAnswer, verificationId } from './schemas.ts'

export const status = tenantEndpoint({
  method: 'GET',
  path: '/verify/status',
  summary: 'Read the status of a verification',
  description: "Tells how a verification stands. Another tenant's verification is unknown here.",
  access: { by: 'tenant', scope: 'verifications:read', rateClass: 'read' },
  query: z.strictObject({ verificationId }),
  answer: { status: 200, description: 'The status.', schema: statusAnswer },
  errors: ['INVALID_PARAMETERS', 'VERIFICATION_NOT_FOUND'],
  async handle({ scope, query }) {
    return presentStatus(await getVerificationStatus(scope, query.verificationId))
  },
})
