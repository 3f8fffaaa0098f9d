import { type ZodObject, z } from 'zod'
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi'
import type { ErrorCode } from '#domain/error-codes.ts'
import { keyHeader } from '#rest/authenticate.ts'
import { contractVersion } from '#rest/contract-version.ts'
import type { DocumentedEndpoint, Tag } from '#rest/endpoint.ts'
import { documentedEndpoints } from '#rest/router.ts'
import { describeErrors } from './error-responses.ts'
import {
  cacheHeaders,
  requestIdHeaders,
  revalidation,
  revalidationHeaders,
  windowHeaders,
} from './headers.ts'
import { authentication, introduction } from './introduction.ts'
import { responseExamples } from './response-examples.ts'
import { webhooks } from './webhooks.ts'

/**
 * Errors that every endpoint of this kind can return. `INVALID_PARAMETERS` is also that of a request which is
 * not well-formed HTTP.
 */
const impliedErrors: Record<DocumentedEndpoint['kind'], readonly ErrorCode[]> = {
  tenant: [
    'INVALID_PARAMETERS',
    'UNAUTHENTICATED_TENANT',
    'TENANT_INACTIVE',
    'BILLING_INACTIVE',
    'FORBIDDEN',
    'RATE_LIMIT_EXCEEDED',
    'INTERNAL_ERROR',
    'DATABASE_ERROR',
    'REDIS_ERROR',
  ],
  open: ['INVALID_PARAMETERS', 'INTERNAL_ERROR', 'DATABASE_ERROR'],
}

/** Every error that an endpoint can return. */
export function errorsOf(endpoint: DocumentedEndpoint): ErrorCode[] {
  return [...new Set([...impliedErrors[endpoint.kind], ...endpoint.errors])]
}

/** What the operations are grouped by, with a description each. */
const tags: Record<Tag | 'Webhooks', string> = {
  Verifications: 'Start a verification, and follow it to its result.',
  'Age tokens': 'Check the signed proof that a person is 18 or over.',
  'Test tenants':
    'Try everything without an identity provider: nothing of a test tenant can be taken for real.',
  Webhooks: 'Requests that the service sends to your webhook URL.',
}

/** The text of `openapi.json`: a service puts its address in the place of this one. */
export function openApiText(): string {
  return `${JSON.stringify(openApiDocument('https://verify.example'), null, 2)}\n`
}

/** Generates the OpenAPI 3.1 document of the tenant API from the endpoint declarations. */
export function openApiDocument(baseUrl: string) {
  const docs = `${baseUrl}/docs`
  const description = authentication(documentedEndpoints)
  return createDocument(
    {
      // Generators refuse 3.1.1, which differs in its wording only.
      openapi: '3.1.0',
      info: {
        title: 'Age Verification Service',
        description: introduction,
        version: contractVersion,
        license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
        contact: { name: 'The operator of this service', url: docs },
      },
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: { tenantApiKey: { type: 'apiKey', in: 'header', name: keyHeader, description } },
      },
      paths: paths(documentedEndpoints),
      webhooks,
      externalDocs: { description: 'Guides, from the first request to production', url: docs },
      servers: [{ url: baseUrl }],
    },
    { override: tidy },
  )
}

/** What zod adds, and no reader needs. */
const tidy: NonNullable<CreateDocumentOptions['override']> = ({ jsonSchema, io }) => {
  // Fields may be added within a version, and must not break clients that validate responses strictly.
  if (io === 'output') delete jsonSchema.additionalProperties
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
}

function paths(endpoints: readonly DocumentedEndpoint[]): ZodOpenApiPathsObject {
  const errorResponses = describeErrors(endpoints, errorsOf)
  const paths: ZodOpenApiPathsObject = {}
  for (const endpoint of endpoints) {
    const responses = { ...describeSuccess(endpoint), ...errorResponses(endpoint) }
    const operation = { ...describeOperation(endpoint), ...describeRequest(endpoint), responses }
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation }
  }
  return paths
}

function describeOperation({ operationId, tag, summary, description, kind }: DocumentedEndpoint) {
  const security = kind === 'tenant' ? [{ tenantApiKey: [] }] : []
  return { operationId, tags: [tag], summary, description, security }
}

function describeRequest(
  endpoint: DocumentedEndpoint,
): Pick<ZodOpenApiOperationObject, 'requestBody' | 'requestParams'> {
  if (endpoint.kind === 'open') {
    const { parameters, response } = endpoint
    const header = response.mediaType && { header: revalidation }
    return { requestParams: { ...(parameters && { path: parameters }), ...header } }
  }
  const { body, query, headers, parameters } = endpoint
  return {
    ...(body && {
      requestBody: { required: !body.optional, content: { 'application/json': { schema: body.schema } } },
    }),
    requestParams: {
      ...(parameters && { path: parameters }),
      ...(query && { query }),
      ...(headers && { header: headers }),
    },
  }
}

/** Nothing for an endpoint that always fails. */
function describeSuccess(endpoint: DocumentedEndpoint): ZodOpenApiOperationObject['responses'] {
  const { status, description, schema, mediaType } = endpoint.response
  if (schema instanceof z.ZodNever) return {}
  const headers = successHeaders(endpoint)
  const examples = responseExamples(endpoint)
  return {
    [status]: { description, headers, content: { [mediaType ?? 'application/json']: { schema, examples } } },
    ...(mediaType && { 304: { description: 'Unchanged, with this `ETag`.', headers } }),
  }
}

function successHeaders(endpoint: DocumentedEndpoint): ZodObject {
  const { headers, mediaType } = endpoint.response
  return z.object({
    ...requestIdHeaders,
    ...(endpoint.kind === 'tenant' && windowHeaders),
    ...(endpoint.kind === 'open' && cacheHeaders(endpoint.maxAgeSeconds)),
    ...(mediaType && revalidationHeaders),
    ...headers?.shape,
  })
}
