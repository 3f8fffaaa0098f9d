import { z } from 'zod'
import type { ValidationReason } from '#domain/token/validate-token.ts'
import type { DocumentedEndpoint } from '#rest/endpoint.ts'
import {
  exampleCompletedAt,
  exampleCreatedAt,
  exampleRevokedAt,
  exampleToken,
  exampleTokenOf,
  exampleVerificationId,
} from '#rest/examples.ts'
import { exampleCursor } from '#rest/verify/list-changes.ts'
import type { Status } from '#rest/verify/verification-status.ts'

export interface Example<Value = unknown> {
  summary: string
  value: Value
}

/** Examples of a response, by name. Throws a `ZodError` for one that its schema doesn't allow. */
export function responseExamples({ operationId, response }: DocumentedEndpoint): Record<string, Example> {
  const examples = examplesOf[operationId]?.(response.schema) ?? {}
  for (const { value } of Object.values(examples)) response.schema.parse(value)
  return examples
}

const openStatus = {
  verificationId: exampleVerificationId,
  status: 'pending',
  confidence: null,
  createdAt: exampleCreatedAt,
  completedAt: null,
} satisfies Status

const approvedResult = {
  ...openStatus,
  status: 'approved',
  confidence: 0.98,
  over18: true,
  completedAt: exampleCompletedAt,
} satisfies Status

const approvedStatus = { ...approvedResult, token: exampleToken } satisfies Status

const statusExamples = {
  pending: { summary: 'The end user has not opened the hosted flow', value: openStatus },
  submitted: {
    summary: 'The identity provider is processing',
    value: { ...openStatus, status: 'submitted' },
  },
  approved: { summary: 'Approved, and 18 or over: admit the person', value: approvedStatus },
  underage: {
    summary: 'Approved, but a minor: do not admit the person',
    value: { ...approvedStatus, over18: false, token: exampleTokenOf(false) },
  },
  ageUnknown: {
    summary: 'Approved, but the age could not be confirmed: do not admit the person',
    value: { ...approvedStatus, over18: null, token: exampleTokenOf(false) },
  },
  revoked: {
    summary: 'Approved, but the token was revoked: do not admit the person any more',
    value: { ...approvedResult, over18: null, tokenRevokedAt: exampleRevokedAt },
  },
  denied: {
    summary: 'The identity check failed',
    value: { ...approvedResult, status: 'denied', confidence: 0.97, over18: null },
  },
} satisfies Record<string, Example<Status>>

const started = {
  summary: 'The end user has not finished: link to the sessionUrl that start returned',
  value: { ...openStatus, status: 'started' },
} satisfies Example<Status>

const changes = [
  { ...approvedResult, updatedAt: exampleCompletedAt },
  { ...statusExamples.revoked.value, updatedAt: exampleRevokedAt },
]

const oneKey = (schema: z.ZodType) => ({ keys: { summary: 'One key', value: exampleOf(schema) } })
const oneList = (schema: z.ZodType) => ({ list: { summary: 'A list, shortened', value: exampleOf(schema) } })

/** By the operation's name. */
const examplesOf: Record<string, (schema: z.ZodType) => Record<string, Example>> = {
  startVerification: schema => ({
    started: { summary: 'Redirect the end user to sessionUrl', value: exampleOf(schema) },
  }),
  getVerificationStatus: () => statusExamples,
  submitVerification: () => ({ started, submitted: statusExamples.submitted }),
  listVerificationChanges: () => ({
    changes: { summary: 'A completion, and a revocation', value: { items: changes, next: exampleCursor } },
    none: { summary: 'Nothing is new', value: { items: [], next: exampleCursor } },
  }),
  validateToken: () => ({
    OK: { summary: 'Admit the person', value: { valid: true, over18: true, reason: 'OK' } },
    ...invalid(
      'UNDERAGE_OR_UNKNOWN',
      'The verification was approved, but the person is a minor, or the age is unknown',
    ),
    ...invalid('TOKEN_EXPIRED', 'The token is past its expiry'),
    ...invalid('TOKEN_REVOKED', 'The token was revoked'),
    ...invalid('TOKEN_NOT_FOUND', 'The token is malformed, forged, unknown, or of another tenant'),
  }),
  getJwks: oneKey,
  getTestJwks: oneKey,
  getTokenStatusList: oneList,
  getTestTokenStatusList: oneList,
  chooseTestOutcome: () => ({ minor: statusExamples.underage }),
  listTestEvents: schema => ({
    event: { summary: 'An event of a tenant without a webhook URL', value: exampleOf(schema) },
    none: { summary: 'Nothing is new', value: { events: [], next: '17' } },
  }),
}

function invalid(reason: ValidationReason, summary: string): Record<string, Example> {
  return { [reason]: { summary, value: { valid: false, over18: false, reason } } }
}

/** The example of a schema, or of its parts. */
function exampleOf(schema: z.ZodType): unknown {
  const { example } = schema.meta() ?? {}
  if (example !== undefined) return example
  if (schema instanceof z.ZodArray) return [exampleOf(schema.element as z.ZodType)]
  const fields = Object.entries<z.ZodType>((schema as z.ZodObject).shape)
  return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field)]))
}
