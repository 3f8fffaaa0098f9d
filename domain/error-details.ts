import { z } from 'zod'
import type { ErrorCode } from './error-codes.ts'
import { apiKeyScopes } from './permissions.ts'

/** Together they keep an error about an input below 64 KiB, whatever the input contains. */
export const issuesMax = 100
export const issuePathLengthMax = 128
export const issueMessageLengthMax = 256

const inputIssue = z
  .object({
    path: z.string().max(issuePathLengthMax).meta({
      description:
        'The field, with dots between nested ones; the parameter; or the header. Empty for the input as a whole.',
      example: 'ip',
    }),
    message: z.string().max(issueMessageLengthMax).meta({
      description: 'What is wrong with it, for a person to read. The wording can change.',
      example: 'must be an IPv4 or IPv6 address',
    }),
  })
  .meta({ id: 'InputIssue', description: 'One fault of the input.' })

/** One fault of an input. */
export type InputIssue = z.output<typeof inputIssue>

const issues = z
  .array(inputIssue)
  .min(1)
  .max(issuesMax)
  .meta({ description: `Everything that is wrong with the input, at most ${issuesMax} faults.` })

/** The longest delay is to the end of a month. */
export const retryAfterSecondsMax = 31 * 24 * 60 * 60
const count = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)

const retryAfterSeconds = z.int().min(1).max(retryAfterSecondsMax).meta({
  description: 'How long to wait before a retry, in seconds; the same as `Retry-After`.',
  example: 27,
})

const monthlyLimit = z.object({
  limit: count.meta({ description: 'How many verifications can be started in a month.', example: 10_000 }),
  used: count.meta({
    description: 'How many were started, or are being started, in this month.',
    example: 10_000,
  }),
  resetsAt: z.iso.datetime({ precision: 3 }).meta({
    description: 'When the next month begins, in UTC, and usage is 0 again.',
    example: '2026-12-01T00:00:00.000Z',
  }),
  retryAfterSeconds: retryAfterSeconds.meta({
    description:
      'Seconds until `resetsAt`; the same as `Retry-After`. Do not wait for it: change the plan or its limits.',
    example: 777_600,
  }),
})

/** The public details of every error code that has any. An error without anything to add has none. */
export const errorDetails = {
  UNAUTHENTICATED_TENANT: z.object({
    reason: z.enum(['missing', 'unsupported_header', 'malformed', 'invalid']).meta({
      description:
        '`missing`: the request has no API key. `unsupported_header`: it has credentials in a header that the tenant ' +
        'API does not accept. `malformed`: the value does not have the form of a key; it is mistyped or cut short. ' +
        '`invalid`: the key is unknown, expired or revoked.',
      example: 'missing',
    }),
  }),
  FORBIDDEN: z.object({
    requiredScope: z
      .enum(apiKeyScopes)
      .meta({ description: 'The scope that the API key lacks.', example: 'verifications:write' }),
  }),
  INVALID_REQUEST_BODY: z.object({
    issues,
    reason: z.literal('idempotency_key_reused').optional().meta({
      description: 'Present if the `Idempotency-Key` was used with another body in the last 24 hours.',
      example: 'idempotency_key_reused',
    }),
  }),
  INVALID_PARAMETERS: z.object({ issues }),
  ROUTE_NOT_FOUND: z.object({
    allowedMethods: z
      .array(z.enum(['GET', 'POST']))
      .min(1)
      .meta({ description: 'The methods of the path, which exists with another method.', example: ['POST'] }),
  }),
  RATE_LIMIT_EXCEEDED: z.object({ retryAfterSeconds }),
  QUOTA_EXCEEDED: monthlyLimit,
  HARD_LIMIT_EXCEEDED: monthlyLimit,
  INTERNAL_ERROR: z.object({
    dependency: z.literal('identity_provider').optional().meta({
      description: 'Present if the identity provider could not be reached, or refused.',
      example: 'identity_provider',
    }),
    reason: z
      .enum(['overloaded', 'shutting_down'])
      .optional()
      .meta({
        description:
          '`overloaded`: the request was rejected before anything was done for it, so it is safe to repeat. ' +
          '`shutting_down`: the process ended before the request did, which may have been carried out.',
        example: 'overloaded',
      }),
    retryAfterSeconds: retryAfterSeconds.optional(),
  }),
} satisfies Partial<Record<ErrorCode, z.ZodObject>>

type DetailsByCode = { [Code in keyof typeof errorDetails]: z.output<(typeof errorDetails)[Code]> }

/** What `details` can be with a code; `undefined` with a code that has none. */
export type DetailsOf<Code extends ErrorCode> = Code extends keyof DetailsByCode
  ? DetailsByCode[Code]
  : undefined

type AnyDetails = DetailsByCode[keyof DetailsByCode]
type FieldOf<Details> = Details extends unknown ? keyof Details : never
type ValueOf<Details, Field> = Details extends unknown
  ? Field extends keyof Details
    ? Details[Field]
    : never
  : never

/** The details of any error: every field that some code has. */
export type ErrorDetails = { [Field in FieldOf<AnyDetails>]?: ValueOf<AnyDetails, Field> }
