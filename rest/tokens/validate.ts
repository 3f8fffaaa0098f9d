import { z } from 'zod'
import { validateToken, validationReasons } from '#domain/token/validate-token.ts'
import { tenantEndpoint } from '../endpoint.ts'

export const validate = tenantEndpoint({
  method: 'POST',
  path: '/tokens/validate',
  summary: 'Validate an age token',
  description:
    'Answers 200 for every token; `valid`, `over18` and the reason `OK` are true together or not at all.',
  access: { by: 'tenant', scope: 'tokens:validate', rateClass: 'read' },
  body: {
    bytesMax: 64 * 1024,
    schema: z.strictObject({ token: z.string().max(8192, 'must be at most 8192 characters') }),
  },
  answer: {
    status: 200,
    description: 'The result, also for an invalid, expired or revoked token.',
    schema: z
      .object({ valid: z.boolean(), over18: z.boolean(), reason: z.enum(validationReasons) })
      .meta({ id: 'TokenValidation' }),
  },
  errors: ['INVALID_REQUEST_BODY', 'INVALID_PARAMETERS'],
  handle: ({ scope, body }) => validateToken(scope, body.token),
})
