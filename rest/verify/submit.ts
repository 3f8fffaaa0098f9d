import { z } from 'zod'
import { submitVerification } from '#domain/verification/submit-verification.ts'
import { tenantEndpoint } from '../endpoint.ts'
import { presentStatus } from './present-status.ts'
import { statusAnswer, verificationId } from './schemas.ts'

export const submit = tenantEndpoint({
  method: 'POST',
  path: '/verify/submit',
  summary: 'Tell that the user came back',
  description:
    'Says that the user came back from the hosted flow. The provider is asked for its decision soon, so that a ' +
    'lost callback leaves nobody waiting.',
  access: { by: 'tenant', scope: 'verifications:write', rateClass: 'write' },
  body: { bytesMax: 16 * 1024, schema: z.strictObject({ verificationId }) },
  answer: { status: 200, description: 'The status.', schema: statusAnswer },
  errors: [
    'INVALID_REQUEST_BODY',
    'INVALID_PARAMETERS',
    'VERIFICATION_NOT_FOUND',
    'VERIFICATION_ALREADY_COMPLETED',
  ],
  async handle({ scope, body }) {
    return presentStatus(await submitVerification(scope, body.verificationId))
  },
})
