import { z } from 'zod'
import { startVerification } from '#domain/verification/start-verification.ts'
import { providerName } from '#domain/verification/verification.policy.ts'
import { tenantEndpoint } from '../endpoint.ts'
import { ipAddress, provider, storableText } from './schemas.ts'

/** Recommended to tenants that poll; results take seconds to minutes. */
const pollingIntervalMs = 3000

export const start = tenantEndpoint({
  method: 'POST',
  path: '/verify/start',
  summary: 'Start a verification',
  description:
    'Creates a verification session. Send the end user to `sessionUrl`. With an `Idempotency-Key` the same ' +
    'request gives the first answer again for 24 hours, and takes no quota.',
  access: { by: 'tenant', scope: 'verifications:write', rateClass: 'write' },
  body: {
    optional: true,
    bytesMax: 16 * 1024,
    schema: z.strictObject({
      userAgent: storableText(1024).optional().meta({ description: "User agent of the end user's browser." }),
      ip: ipAddress.optional().meta({ description: 'IPv4 or IPv6 address of the end user.' }),
    }),
  },
  headers: z.object({
    'idempotency-key': z
      .string()
      .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
      .optional()
      .meta({ description: 'Makes the request safe to repeat; any text of your own, unique per start.' }),
  }),
  answer: {
    status: 201,
    description: 'The session.',
    schema: z
      .object({
        verificationId: z
          .string()
          .meta({ description: 'Keep it: results are found and events told apart by it.' }),
        status: z.literal('started'),
        provider,
        sessionUrl: z.url().meta({ description: 'Where the end user completes the check.' }),
        config: z.object({
          pollingIntervalMs: z.int().meta({ description: 'Poll no more often than this, in milliseconds.' }),
          tokenType: z.literal('jwt').meta({ description: 'Format of the token that an approval brings.' }),
        }),
      })
      .meta({ id: 'StartedVerification' }),
  },
  errors: ['INVALID_REQUEST_BODY', 'INVALID_PARAMETERS', 'QUOTA_EXCEEDED', 'HARD_LIMIT_EXCEEDED'],
  async handle({ scope, body, headers }) {
    const started = await startVerification(scope, { ...body, idempotencyKey: headers['idempotency-key'] })
    return {
      ...started,
      status: 'started',
      provider: providerName,
      config: { pollingIntervalMs, tokenType: 'jwt' },
    }
  },
})
