import { z } from 'zod'
import { validateToken, validationReasons } from '#domain/token/validate-token.ts'
import { tenantEndpoint } from '../endpoint.ts'

export const validate = tenantEndpoint({
  method: 'POST',
  path: '/tokens/validate',
  summary: 'Validate an age token',
  description:
    'Returns 200 for every token, valid or not. `valid` and `over18` are both true when `reason` is `OK`, and both ' +
    'false otherwise.',
  access: { by: 'tenant', scope: 'tokens:validate', rateClass: 'read' },
  body: {
    bytesMax: 64 * 1024,
    schema: z.strictObject({ token: z.string().max(8192, 'must be at most 8192 characters') }),
  },
  response: {
    status: 200,
    description: 'The result, also for an invalid, expired or revoked token.',
    schema: z
      .object({ valid: z.boolean(), over18: z.boolean(), reason: z.enum(validationReasons) })
      .meta({ id: 'TokenValidation' }),
  },
  errors: ['INVALID_REQUEST_BODY', 'INVALID_PARAMETERS'],
  handle: ({ scope, body }) => validateToken(scope, body.token),
})
