import { z } from 'zod'
import { getVerificationStatus } from '#domain/verification/get-verification-status.ts'
import { tenantEndpoint } from '../endpoint.ts'
import { presentStatus, verificationId, verificationStatus } from './verification-status.ts'

export const status = tenantEndpoint({
  method: 'GET',
  path: '/verify/status',
  verb: 'getVerificationStatus',
  summary: 'Retrieve the status of a verification',
  description:
    "Returns the current status of a verification, and its result once it's completed. The verification must " +
    'belong to the tenant of the API key.',
  access: { by: 'tenant', scope: 'verifications:read', rateClass: 'read' },
  query: z.strictObject({ verificationId }),
  response: { status: 200, description: 'The status.', schema: verificationStatus },
  errors: ['INVALID_PARAMETERS', 'VERIFICATION_NOT_FOUND'],
  async handle({ scope, query }) {
    return presentStatus(await getVerificationStatus(scope, query.verificationId))
  },
})
