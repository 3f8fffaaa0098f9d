import { isIP } from 'node:net'
import { z } from 'zod'
import { providerNames } from '#domain/provider-result.ts'
import { startVerification } from '#domain/verification/start-verification.ts'
import { abortOnDisconnect, tenantEndpoint } from '../endpoint.ts'
import { exampleVerificationId } from '../examples.ts'

/** The recommended interval; results take seconds to minutes. */
const pollingIntervalMs = 3000
const exampleSessionUrl = 'https://magic.veriff.me/v/XyDki7acO-V74u5yNjt7ydbcgscKWoFErV2YhCJAKQU'

const userAgent = z
  .string()
  .max(1024, 'must be at most 1024 characters')
  .refine(text => !text.includes('\0') && text.isWellFormed(), 'must be well-formed text without NUL')
  .meta({
    description: "User agent string of the end user's browser. It is checked, and not stored.",
    example: 'Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0',
  })

const notAnAddress = 'must be an IPv4 or IPv6 address'

const ip = z
  .string()
  .max(45, { error: notAnAddress, abort: true })
  .refine(text => isIP(text) !== 0 && !text.includes('%'), notAnAddress)
  .meta({
    description: 'IPv4 or IPv6 address of the end user. It is checked, and not stored.',
    example: '203.0.113.9',
  })

export const start = tenantEndpoint({
  method: 'POST',
  path: '/verify/start',
  operationId: 'startVerification',
  tag: 'Verifications',
  summary: 'Start a verification',
  description:
    'Creates a verification session. Redirect the end user to `sessionUrl`. A request that is repeated with the same ' +
    '`Idempotency-Key` and body within 24 hours returns the first response and uses no quota. While the first request ' +
    'is still running, it waits up to 12 seconds for its response or error; then it fails with `Retry-After`. The ' +
    'result comes with the webhook `verification.completed`, or with `GET /verify/status`. Admit the person on `over18` or on ' +
    '`POST /tokens/validate`, never on the status `approved`.',
  access: { scope: 'verifications:write', rateClass: 'write' },
  body: {
    optional: true,
    bytesMax: 16 * 1024,
    schema: z.strictObject({ userAgent: userAgent.optional(), ip: ip.optional() }),
  },
  headers: z.object({
    'Idempotency-Key': z
      .string()
      .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
      .optional()
      .meta({
        param: { id: 'IdempotencyKey' },
        description: 'Makes retries safe. Any unique value, 1 to 255 visible ASCII characters.',
        example: '2f1c7f0e-5c0b-4d1e-9d0c-6a8f6f1c2b3d',
      }),
  }),
  response: {
    status: 201,
    description: 'The session.',
    schema: z
      .object({
        verificationId: z.string().meta({
          description: 'Identifies the verification in later requests and in webhook events. Store it.',
          format: 'uuid',
          example: exampleVerificationId,
        }),
        status: z
          .literal('started')
          .meta({ description: 'The status of a new verification.', example: 'started' }),
        provider: z
          .literal(providerNames)
          .meta({ description: 'The identity provider.', example: providerNames[0] }),
        sessionUrl: z.string().meta({
          description:
            'Where the end user completes the check, and begins again after a `resubmission`. Store it encrypted: it is ' +
            'a secret that opens the session, and only this response has it.',
          format: 'uri',
          example: exampleSessionUrl,
        }),
        config: z
          .object({
            pollingIntervalMs: z.int().meta({
              description: 'The recommended interval for polling the status, in milliseconds.',
              override: { minimum: 1_000, maximum: 60_000 },
              example: pollingIntervalMs,
            }),
            tokenType: z
              .literal('jwt')
              .meta({ description: 'Format of the token issued on approval.', example: 'jwt' }),
          })
          .meta({ description: 'Settings for the integration.' }),
      })
      .meta({ id: 'StartedVerification', description: 'A verification that has been started.' }),
    headers: z.object({
      'Idempotent-Replayed': z.literal('true').optional().meta({
        description: 'Present if this is the response to an earlier request with the same `Idempotency-Key`.',
        example: 'true',
      }),
    }),
  },
  errors: ['INVALID_REQUEST_BODY', 'QUOTA_EXCEEDED', 'HARD_LIMIT_EXCEEDED'],
  async handle({ scope, body, headers, response }) {
    const idempotencyKey = headers['Idempotency-Key']
    const signal = idempotencyKey === undefined ? undefined : abortOnDisconnect(response)
    const started = await startVerification(scope, { ...body, idempotencyKey, signal })
    return {
      ...started,
      status: 'started',
      provider: providerNames[0],
      config: { pollingIntervalMs, tokenType: 'jwt' },
    } as const
  },
  headersOf: ({ replayed }) => (replayed ? { 'Idempotent-Replayed': 'true' } : undefined),
})
