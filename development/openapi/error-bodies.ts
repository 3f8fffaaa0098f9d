import { type ZodObject, z } from 'zod'
import { type ErrorCode, errorCatalogue } from '#domain/error-codes.ts'
import { errorDetails } from '#domain/error-details.ts'
import { exampleRequestId } from './headers.ts'

/** Codes whose errors always have their details. */
const alwaysDetailed: readonly ErrorCode[] = [
  'UNAUTHENTICATED_TENANT',
  'INVALID_REQUEST_BODY',
  'RATE_LIMIT_EXCEEDED',
  'QUOTA_EXCEEDED',
  'HARD_LIMIT_EXCEEDED',
]

const codes = Object.keys(errorCatalogue) as ErrorCode[]
const detailsOf: Partial<Record<ErrorCode, ZodObject>> = errorDetails
const bodies = Object.fromEntries(codes.map(code => [code, bodySchema(code)])) as Record<
  ErrorCode,
  ReturnType<typeof bodySchema>
>

/** The body of an error with one of the codes, told apart by `error`. */
export function errorBody(oneOf: readonly ErrorCode[]): z.ZodType {
  const [first, ...others] = oneOf.map(code => bodies[code])
  if (!first) throw new RangeError('An error has a code')
  return others.length === 0 ? first : z.discriminatedUnion('error', [first, ...others])
}

function bodySchema(code: ErrorCode) {
  const details = detailsOf[code]?.meta({ description: 'What the code alone does not say.' })
  return z
    .object({
      error: z.literal(code).meta({ description: 'The code, for your program to handle.', example: code }),
      message: z.string().meta({
        description: 'What happened, for a person to read. The wording can change.',
        example: errorCatalogue[code],
      }),
      ...(details && { details: alwaysDetailed.includes(code) ? details : details.optional() }),
      requestId: z.uuid().meta({
        description: 'The same as the header `x-request-id`.',
        example: exampleRequestId,
      }),
    })
    .meta({ id: bodyName(code), description: errorCatalogue[code] })
}

/** Such as `QuotaExceededError`. */
function bodyName(code: ErrorCode): string {
  return `${pascalCase(code).replace(/Error$/, '')}Error`
}

/** Such as `QuotaExceeded`. */
export function pascalCase(code: ErrorCode): string {
  return code.replace(/_?([A-Z])([A-Z]*)/g, (_, first: string, rest: string) => first + rest.toLowerCase())
}
