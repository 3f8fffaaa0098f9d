import { z } from 'zod'
import { validateToken, validationReasons } from '#domain/token/validate-token.ts'
import { tenantEndpoint } from '../endpoint.ts'

export const validate = tenantEndpoint({
  method: 'POST',
  path: '/tokens/validate',
  verb: 'validateToken',
  summary: 'Validate an age token',
  description:
    'Returns 200 for every token, valid or not. `valid` and `over18` are both true when `reason` is `OK`, and both ' +
    'false otherwise.',
  access: { by: 'tenant', scope: 'tokens:validate', rateClass: 'read' },
  body: {
    bytesMax: 64 * 1024,
    schema: z.strictObject({
      token: z
        .string()
        .max(8192, 'must be at most 8192 characters')
        .meta({ description: 'The token to validate, from the status of a verification.' }),
    }),
  },
  response: {
    status: 200,
    description: 'The result, also for an invalid, expired or revoked token.',
    schema: z
      .object({
        valid: z.boolean().meta({ description: 'Whether the token is valid.' }),
        over18: z
          .boolean()
          .meta({ description: 'Whether the person is 18 or over. False for an invalid token.' }),
        reason: z.enum(validationReasons).meta({ description: '`OK`, or why the token is not valid.' }),
      })
      .meta({ id: 'TokenValidation' }),
  },
  errors: ['INVALID_REQUEST_BODY', 'INVALID_PARAMETERS'],
  handle: ({ scope, body }) => validateToken(scope, body.token),
})
