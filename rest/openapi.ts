import { type ZodObject, z } from 'zod'
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiParameters,
  type ZodOpenApiPathsObject,
} from 'zod-openapi'
import type { ErrorCode } from '#domain/error-codes.ts'
import { keyHeader } from './authenticate.ts'
import type { Endpoint, OpenEndpoint, TenantEndpoint } from './endpoint.ts'
import { errorBody } from './openapi/error-bodies.ts'
import { errorResponses } from './openapi/error-responses.ts'
import {
  cacheHeaders,
  requestIdHeaders,
  revalidation,
  revalidationHeaders,
  windowHeaders,
} from './openapi/headers.ts'
import { authentication, introduction } from './openapi/introduction.ts'
import { describedTags } from './openapi/tags.ts'
import { webhooks } from './openapi/webhooks.ts'
import { endpoints } from './router.ts'

/**
 * Errors that every endpoint with this kind of access can return. `INVALID_PARAMETERS` is also that of a request which is
 * not well-formed HTTP.
 */
const impliedErrors: Record<Endpoint['access']['by'], readonly ErrorCode[]> = {
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
  provider: ['INVALID_PARAMETERS', 'INTERNAL_ERROR', 'DATABASE_ERROR'],
  anyone: ['INVALID_PARAMETERS', 'INTERNAL_ERROR', 'DATABASE_ERROR'],
}

/** Every error that an endpoint can return. */
export function errorsOf(endpoint: Endpoint): ErrorCode[] {
  return [...new Set([...impliedErrors[endpoint.access.by], ...endpoint.errors])]
}

const ofProvider = endpoints.filter(({ access }) => access.by === 'provider')
const ofTenants = endpoints.filter(({ access }) => access.by !== 'provider')

/** Also the code of a request that matches no operation. */
const tenantCodes = new Set<ErrorCode>(['ROUTE_NOT_FOUND', ...ofTenants.flatMap(errorsOf)])
const anyError = errorBody([...tenantCodes]).meta({
  id: 'ErrorBody',
  description: 'The body of any error. The responses of an operation list only the codes that it returns.',
})

/** Generates the OpenAPI 3.1 document of the tenant API from the endpoint declarations. */
export function openApiDocument(baseUrl: string) {
  return generate(baseUrl, {
    info: { title: 'Age Verification Service', description: introduction, ...info },
    tags: describedTags('Verifications', 'Age tokens', 'Webhooks'),
    components: {
      securitySchemes: {
        tenantApiKey: {
          type: 'apiKey',
          in: 'header',
          name: keyHeader,
          description: authentication(ofTenants),
        },
      },
      schemas: { ErrorBody: anyError },
    },
    paths: pathsOf(ofTenants),
    webhooks,
  })
}

/** Generates the document of the callbacks that the identity provider sends to the service. */
export function providerDocument(baseUrl: string) {
  return generate(baseUrl, {
    info: {
      title: 'Age Verification Service: callbacks of the identity provider',
      description:
        'What the identity provider, Veriff, sends to the service. Tenants never call it. Configure its address ' +
        'as the webhook URL of the integration, for events and for decisions.',
      ...info,
    },
    tags: describedTags('Callbacks'),
    components: { securitySchemes: providerCredentials },
    paths: pathsOf(ofProvider),
  })
}

const info = { version: '1.0.0', license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' } }

const providerCredentials = {
  integration: {
    type: 'apiKey',
    in: 'header',
    name: 'x-auth-client',
    description: 'The API key of the integration. `vrf-auth-client` is accepted as well.',
  },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'x-hmac-signature',
    description:
      "HMAC-SHA256 of the raw body with the integration's shared secret, in hex. `vrf-hmac-signature` is " +
      'accepted as well.',
  },
} as const

function generate(baseUrl: string, document: Omit<ZodOpenApiObject, 'openapi' | 'servers' | 'externalDocs'>) {
  const docs = `${baseUrl}/docs`
  return createDocument(
    {
      openapi: '3.1.1',
      ...document,
      info: { ...document.info, contact: { name: 'The operator of this service', url: docs } },
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

function pathsOf(declared: readonly Endpoint[]): ZodOpenApiPathsObject {
  const errors = errorResponses(declared, errorsOf)
  const paths: ZodOpenApiPathsObject = {}
  for (const endpoint of declared) {
    const responses = { ...successOf(endpoint), ...errors.get(endpoint) }
    const operation = { ...descriptionOf(endpoint), ...requestOf(endpoint), responses }
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation }
  }
  return paths
}

const security: Record<Endpoint['access']['by'], Record<string, string[]>[]> = {
  tenant: [{ tenantApiKey: [] }],
  provider: [{ integration: [], signature: [] }],
  anyone: [],
}

function descriptionOf({ operationId, tag, summary, description, access }: Endpoint) {
  return { operationId, tags: [tag], summary, description, security: security[access.by] }
}

function requestOf(endpoint: Endpoint): Pick<ZodOpenApiOperationObject, 'requestBody' | 'requestParams'> {
  if (endpoint.access.by === 'anyone') return { requestParams: publicParametersOf(endpoint as OpenEndpoint) }
  if ('payload' in endpoint) {
    const { description, ...payload } = endpoint.payload
    return { requestBody: { required: true, description, content: { 'application/json': payload } } }
  }
  const { body, query, headers } = endpoint as TenantEndpoint
  return {
    ...(body && {
      requestBody: { required: !body.optional, content: { 'application/json': { schema: body.schema } } },
    }),
    requestParams: { ...(query && { query }), ...(headers && { header: headers }) },
  }
}

function publicParametersOf({ parameters, response }: OpenEndpoint): ZodOpenApiParameters {
  return { ...(parameters && { path: parameters }), ...(response.mediaType && { header: revalidation }) }
}

/** Nothing for an endpoint that always fails. */
function successOf(endpoint: Endpoint): ZodOpenApiOperationObject['responses'] {
  const { status, description, schema, mediaType = 'application/json', examples } = endpoint.response
  if (schema instanceof z.ZodNever) return {}
  const headers = successHeaders(endpoint)
  return {
    [status]: { description, headers, content: { [mediaType]: { schema, examples } } },
    ...(endpoint.response.mediaType && { 304: { description: 'Unchanged, with this `ETag`.', headers } }),
  }
}

function successHeaders(endpoint: Endpoint): ZodObject {
  const { headers, mediaType } = endpoint.response
  return z.object({
    ...requestIdHeaders,
    ...(endpoint.access.by === 'tenant' && windowHeaders),
    ...('maxAgeSeconds' in endpoint && cacheHeaders(endpoint.maxAgeSeconds)),
    ...(mediaType && revalidationHeaders),
    ...headers?.shape,
  })
}
