import { z } from 'zod'
import { submitVerification } from '#domain/verification/submit-verification.ts'
import { tenantEndpoint } from '../endpoint.ts'
import { presentStatus, verificationId, verificationStatus } from './verification-status.ts'

export const submit = tenantEndpoint({
  method: 'POST',
  path: '/verify/submit',
  operationId: 'submitVerification',
  tag: 'Verifications',
  summary: 'Report that the end user has come back',
  description:
    'Call it when the end user comes back from the hosted flow, finished or not. It changes no status, because only ' +
    'the identity provider knows what the user did. The service polls the provider for its decision soon, in case a ' +
    'callback is lost.',
  access: { scope: 'verifications:write', rateClass: 'write' },
  body: { bytesMax: 16 * 1024, schema: z.strictObject({ verificationId }) },
  response: {
    status: 200,
    description: 'The status as it is.',
    schema: verificationStatus,
  },
  errors: ['INVALID_REQUEST_BODY', 'VERIFICATION_NOT_FOUND', 'VERIFICATION_ALREADY_COMPLETED'],
  async handle({ scope, body }) {
    return presentStatus(await submitVerification(scope, body.verificationId))
  },
})
