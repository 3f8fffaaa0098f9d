import { z } from 'zod'
import { chooseOutcome as choose } from '#domain/simulated-session/choose-outcome.ts'
import { providerDownUserAgent, testOutcomes } from '#domain/simulated-session/test-outcome.ts'
import { tenantEndpoint } from '../endpoint.ts'
import { presentStatus, verificationId, verificationStatus } from '../verify/verification-status.ts'

export const chooseOutcome = tenantEndpoint({
  method: 'POST',
  path: '/test/verifications/{id}/outcome',
  operationId: 'chooseTestOutcome',
  tag: 'Test tenants',
  summary: 'Choose the outcome of a test verification',
  description:
    'Decides a verification of a test tenant, as the identity provider would decide that of a live one: everything that ' +
    'follows is real, such as the status, the token and the webhook event. The response is the status after that. After ' +
    '`resubmission` and `in_review`, choose again. Of a completed verification only an approved one can still be chosen ' +
    'to be `denied`: the provider’s correction, which revokes the token. With the key of a live tenant it fails. The page ' +
    'at `sessionUrl` offers the same. To see a start fail because the provider is down, start with the `userAgent` ' +
    `\`${providerDownUserAgent}\`.`,
  access: { scope: 'verifications:write', rateClass: 'write' },
  parameters: z.object({ id: verificationId.meta({ param: { id: 'TestVerificationId' } }) }),
  body: {
    bytesMax: 16 * 1024,
    schema: z.strictObject({
      outcome: z.enum(testOutcomes).meta({
        description:
          '`adult`: approved, 34 years old. `minor`: approved, 15 years old. `unknown_age`: approved, without a date of ' +
          'birth. `denied`: known fraud. `resubmission`: the pictures were too poor; the same `sessionUrl` begins a new ' +
          'attempt. `in_review`: somebody has to look at it, which has the status `submitted`. `expired`: rejected, never ' +
          'opened. `abandoned`: rejected, left without completing. `provider_down`: the provider answers no request about ' +
          'this verification until another outcome is chosen.',
        example: 'minor',
      }),
      reasonCode: z
        .string()
        .regex(/^\d{3}$/, 'must be a reason code of the provider, such as "102"')
        .optional()
        .meta({
          description:
            'Why, for `denied` and `resubmission`, as the dashboard shows it. By default `106`, known fraud, and `204`, poor pictures.',
          example: '102',
        }),
      lostCallback: z
        .boolean()
        .default(false)
        .meta({
          description:
            'Whether the provider’s callback is lost. The outcome is then found by polling: seconds after ' +
            '`POST /verify/submit`, or else within an hour.',
          example: false,
        }),
    }),
  },
  response: {
    status: 200,
    description: 'The status after that.',
    schema: verificationStatus,
  },
  errors: ['INVALID_REQUEST_BODY', 'VERIFICATION_NOT_FOUND', 'VERIFICATION_ALREADY_COMPLETED'],
  async handle({ scope, parameters, body }) {
    return presentStatus(await choose(scope, { verificationId: parameters.id, ...body }))
  },
})
