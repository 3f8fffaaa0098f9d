import { isIP } from 'node:net'
import { z } from 'zod'
import { startVerification } from '#domain/verification/start-verification.ts'
import { providerName } from '#domain/verification/verification.policy.ts'
import { tenantEndpoint } from '../endpoint.ts'

/** The recommended interval; results take seconds to minutes. */
const pollingIntervalMs = 3000

/** PostgreSQL can't store NUL or lone surrogates. */
const userAgent = z
  .string()
  .max(1024, 'must be at most 1024 characters')
  .refine(text => !text.includes('\0') && text.isWellFormed(), 'must be well-formed text without NUL')
  .meta({ description: "User agent string of the end user's browser." })

const notAnAddress = 'must be an IPv4 or IPv6 address'

const ip = z
  .string()
  .max(45, { error: notAnAddress, abort: true })
  .refine(text => isIP(text) !== 0 && !text.includes('%'), notAnAddress)
  .meta({ description: 'IPv4 or IPv6 address of the end user.' })

export const start = tenantEndpoint({
  method: 'POST',
  path: '/verify/start',
  verb: 'startVerification',
  summary: 'Start a verification',
  description:
    'Creates a verification session. Redirect the end user to `sessionUrl`. A request that is repeated with the same ' +
    '`Idempotency-Key` and body within 24 hours returns the first response and uses no quota.',
  access: { by: 'tenant', scope: 'verifications:write', rateClass: 'write' },
  body: {
    optional: true,
    bytesMax: 16 * 1024,
    schema: z.strictObject({ userAgent: userAgent.optional(), ip: ip.optional() }),
  },
  headers: z.object({
    'idempotency-key': z
      .string()
      .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
      .optional()
      .meta({ description: 'Makes retries safe. Any unique value, 1 to 255 visible ASCII characters.' }),
  }),
  response: {
    status: 201,
    description: 'The session.',
    schema: z
      .object({
        verificationId: z.string().meta({
          description: 'Identifies the verification in later requests and in webhook events. Store it.',
        }),
        status: z.literal('started').meta({ description: 'The status of a new verification.' }),
        provider: z.literal(providerName).meta({ description: 'The identity provider.' }),
        sessionUrl: z.url().meta({ description: 'Where the end user completes the check.' }),
        config: z
          .object({
            pollingIntervalMs: z
              .int()
              .meta({ description: 'The recommended interval for polling the status, in milliseconds.' }),
            tokenType: z.literal('jwt').meta({ description: 'Format of the token issued on approval.' }),
          })
          .meta({ description: 'Settings for the integration.' }),
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
    } as const
  },
  headersOf: ({ replayed }) => (replayed ? { 'Idempotent-Replayed': 'true' } : undefined),
})
