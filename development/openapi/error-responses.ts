import { STATUS_CODES } from 'node:http'
import { type ZodObject, z } from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import { type ErrorCode, errorCatalogue } from '#domain/error-codes.ts'
import type { DocumentedEndpoint } from '#rest/endpoint.ts'
import { statusOf } from '#rest/errors.ts'
import { errorBody, pascalCase } from './error-bodies.ts'
import { errorExamples } from './error-examples.ts'
import {
  requestIdHeaders,
  retryAfterHeaders,
  retryAfterHeadersIfKnown,
  windowHeaders,
  windowHeadersIfCounted,
} from './headers.ts'

type ErrorStatus = (typeof statusOf)[ErrorCode]
/** The error responses of an endpoint, by status. Those that several endpoints have in common are components. */
export function describeErrors(
  endpoints: readonly DocumentedEndpoint[],
  errorsOf: (endpoint: DocumentedEndpoint) => ErrorCode[],
): (endpoint: DocumentedEndpoint) => Record<string, ZodOpenApiResponseObject> {
  const all = endpoints.flatMap(endpoint =>
    [...Map.groupBy(errorsOf(endpoint), code => statusOf[code])].map(([status, codes]) => ({
      endpoint,
      status,
      key: `${endpoint.kind} ${status} ${codes.toSorted()}`,
      codes,
    })),
  )
  const responses = new Map<string, ZodOpenApiResponseObject>()
  for (const [key, same] of Map.groupBy(all, ({ key }) => key)) {
    const { endpoint, status, codes } = same[0]!
    const response = errorResponse(endpoint, status, codes)
    const name = toName(endpoint, status, codes)
    const isTaken = [...responses.values()].some(({ id }) => id === name)
    const id = isTaken ? `${name}Or${pascalCase(codes.at(-1)!)}` : name
    responses.set(key, same.length > 1 ? { id, ...response } : response)
  }
  const ofEndpoint = Map.groupBy(all, ({ endpoint }) => endpoint)
  return endpoint =>
    Object.fromEntries(ofEndpoint.get(endpoint)!.map(({ status, key }) => [status, responses.get(key)!]))
}

function errorResponse(
  endpoint: DocumentedEndpoint,
  status: ErrorStatus,
  codes: readonly ErrorCode[],
): ZodOpenApiResponseObject {
  const examples = errorExamples(codes, readParameters(endpoint))
  return {
    description: codes.map(code => `\`${code}\`: ${errorCatalogue[code]}`).join('\n\n'),
    headers: z.object({
      ...requestIdHeaders,
      ...(status === 429 && retryAfterHeaders),
      ...(status === 500 && retryAfterHeadersIfKnown),
      ...(endpoint.kind === 'tenant' && windowHeadersAt[status]),
    }),
    content: { 'application/json': { schema: errorBody(codes), examples } },
  }
}

/** Only requests of tenants have parameters with examples. */
function readParameters(endpoint: DocumentedEndpoint): ZodObject {
  if (endpoint.kind !== 'tenant') return z.object({})
  return endpoint.query ?? z.strictObject({})
}

/** Admission precedes the count, and a few errors of the other statuses precede admission. */
const windowHeadersAt: Partial<Record<ErrorStatus, typeof windowHeaders>> = {
  400: windowHeadersIfCounted,
  403: windowHeadersIfCounted,
  404: windowHeaders,
  429: windowHeadersIfCounted,
  500: windowHeadersIfCounted,
}

/** Such as `Unauthorized`, or `BillingInactive` where a status has one code; `Public…` without rate limit headers. */
function toName({ kind }: DocumentedEndpoint, status: ErrorStatus, codes: readonly ErrorCode[]): string {
  const [only, ...others] = codes
  const name = others.length === 0 ? pascalCase(only!) : STATUS_CODES[status]!.replaceAll(' ', '')
  return kind === 'open' ? `Public${name}` : name
}
