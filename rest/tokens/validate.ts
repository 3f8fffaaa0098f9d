import { z } from 'zod'
import { validateToken, validationReasons, verificationOfToken } from '#domain/token/validate-token.ts'
import { tenantEndpoint } from '../endpoint.ts'
import { exampleToken } from '../examples.ts'

export const validate = tenantEndpoint({
  method: 'POST',
  path: '/tokens/validate',
  operationId: 'validateToken',
  tag: 'Age tokens',
  summary: 'Validate an age token',
  description:
    'Returns 200 for every token, valid or not, whatever its length within a body of 64 KiB. `valid` and `over18` are ' +
    'both true when `reason` is `OK`, and both false otherwise.',
  access: { scope: 'tokens:validate', rateClass: 'read' },
  body: {
    bytesMax: 64 * 1024,
    schema: z.strictObject({
      token: z.string().meta({
        description: 'The token to validate, from the status of a verification.',
        example: exampleToken,
      }),
    }),
  },
  response: {
    status: 200,
    description: 'The result, also for an invalid, expired or revoked token.',
    schema: z
      .object({
        valid: z.boolean().meta({ description: 'Whether the token is valid.', example: true }),
        over18: z.boolean().meta({
          description: 'Whether the person is 18 or over. False for an invalid token.',
          example: true,
        }),
        reason: z.enum(validationReasons).meta({
          description:
            '`OK`, or why the token is not valid: it is past its expiry, it was revoked, it is not a token of your ' +
            'tenant, or the person is not known to be 18 or over.',
          example: 'OK',
        }),
      })
      .meta({ id: 'TokenValidation', description: 'The result of validating a token.' }),
  },
  errors: ['INVALID_REQUEST_BODY'],
  nameVerification: ({ body }) => verificationOfToken(body.token),
  handle: ({ scope, body, found }) => validateToken(scope, body.token, found),
})
