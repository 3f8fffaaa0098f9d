import { z } from 'zod'
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi'
import { type ErrorCode, errorCatalogue } from '#domain/errors.ts'
import { keyHeader } from './authenticate.ts'
import type { Endpoint } from './endpoint.ts'
import { statusOf } from './errors.ts'
import { endpoints } from './router.ts'

const errorCodes = Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]

const errorEnvelope = z
  .looseObject({
    error: z.enum(errorCodes),
    message: z.string().optional(),
    details: z.looseObject({}).optional(),
    requestId: z.uuid(),
  })
  .meta({ id: 'Error' })

/** Errors that every endpoint with this kind of access can return. */
const impliedErrors: Record<Endpoint['access']['by'], readonly ErrorCode[]> = {
  tenant: [
    'UNAUTHENTICATED_TENANT',
    'TENANT_INACTIVE',
    'TENANT_NOT_PROVISIONED',
    'FORBIDDEN',
    'BILLING_INACTIVE',
    'RATE_LIMIT_EXCEEDED',
    'INTERNAL_ERROR',
    'DATABASE_ERROR',
    'REDIS_ERROR',
  ],
  provider: ['INTERNAL_ERROR', 'DATABASE_ERROR'],
  anyone: ['INTERNAL_ERROR', 'DATABASE_ERROR'],
}

/** Every error that an endpoint can return. */
export function errorsOf(endpoint: Endpoint): ErrorCode[] {
  return [...impliedErrors[endpoint.access.by], ...endpoint.errors]
}

/** Generates the OpenAPI 3.1 document of the tenant API from the endpoint declarations. */
export function openApiDocument(baseUrl: string) {
  const paths: ZodOpenApiPathsObject = {}
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operationOf(endpoint) }
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.1',
    info: {
      title: 'Age Verification Service',
      version: '1.0.0',
      description: 'Age and identity verification for tenants. All request and response bodies are JSON.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    components: { securitySchemes: { tenantApiKey: { type: 'apiKey', in: 'header', name: keyHeader } } },
    paths,
  }
  return createDocument(document, { override: tolerateNewFields })
}

/** Fields may be added within a version, and must not break clients that validate responses strictly. */
const tolerateNewFields: NonNullable<CreateDocumentOptions['override']> = ({ jsonSchema, io }) => {
  if (io === 'output') delete jsonSchema.additionalProperties
}

function operationOf(endpoint: Endpoint): ZodOpenApiOperationObject {
  const { status, description, schema, mediaType } = endpoint.response
  return {
    operationId: operationId(endpoint),
    summary: endpoint.summary,
    description: endpoint.description,
    security: endpoint.access.by === 'tenant' ? [{ tenantApiKey: [] }] : [],
    ...requestOf(endpoint),
    responses: {
      ...(schema instanceof z.ZodNever
        ? {}
        : { [status]: response(description, schema, endpoint, mediaType) }),
      ...(mediaType
        ? { 304: { description: 'Unchanged since the response with the `ETag` of `If-None-Match`.' } }
        : {}),
      ...errorResponses(endpoint),
    },
  }
}

function requestOf(endpoint: Endpoint): Pick<ZodOpenApiOperationObject, 'requestBody' | 'requestParams'> {
  if ('parameters' in endpoint) return { requestParams: { path: endpoint.parameters } }
  if (!('body' in endpoint) && !('query' in endpoint)) return {}
  const { body, query, headers } = endpoint
  return {
    ...(body && {
      requestBody: { required: !body.optional, content: { 'application/json': { schema: body.schema } } },
    }),
    requestParams: { ...(query && { query }), ...(headers && { header: headers }) },
  }
}

function errorResponses(endpoint: Endpoint) {
  const byStatus = Map.groupBy(errorsOf(endpoint), code => statusOf[code])
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const description = codes.map(code => `\`${code}\`: ${errorCatalogue[code]}`).join('\n\n')
      return [status, response(description, errorEnvelope, endpoint)]
    }),
  )
}

function response(
  description: string,
  schema: z.ZodType,
  endpoint: Endpoint,
  mediaType = 'application/json',
) {
  return {
    description,
    headers: z.object({
      'x-request-id': z.uuid(),
      ...(endpoint.access.by === 'tenant' ? rateHeaders : {}),
    }),
    content: { [mediaType]: { schema } },
  }
}

const rateHeaders = {
  'X-RateLimit-Limit': z.int().optional().meta({ description: 'Requests allowed in the current window.' }),
  'X-RateLimit-Remaining': z
    .int()
    .optional()
    .meta({ description: 'Requests remaining in the current window.' }),
  'X-RateLimit-Reset': z
    .int()
    .optional()
    .meta({ description: 'When the window resets, as a Unix timestamp in seconds.' }),
  'Retry-After': z
    .int()
    .optional()
    .meta({ description: 'Seconds to wait before retrying. Present with every 429.' }),
}

function operationId({ method, path }: Endpoint): string {
  const words = path.split(/[^a-z]+/i).filter(Boolean)
  return [method.toLowerCase(), ...words]
    .map((word, i) => (i ? word[0]!.toUpperCase() + word.slice(1) : word))
    .join('')
}
