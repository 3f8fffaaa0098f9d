import type { ServerResponse } from 'node:http'
import type { ZodObject, ZodType, z } from 'zod'
import type { RateClass } from '#domain/api-key/api-key.policy.ts'
import type { ErrorCode } from '#domain/error-codes.ts'
import type { ApiKeyScope } from '#domain/permissions.ts'
import type { ApiKeyActorScope, Scope } from '#domain/scope.ts'
import type { FoundWithKey } from '#domain/verification/stored-verification.ts'
import type { ProviderCallbacks } from './ports.ts'
import type { CallbackResult } from './verify/callback-result.ts'

/** What the operations are grouped by. */
export type Tag = 'Verifications' | 'Age tokens' | 'Test tenants'

/** The API key that an endpoint needs. */
interface Access {
  scope: ApiKeyScope
  /** The request counts in its window. */
  rateClass: RateClass
}

export interface BodyDeclaration<Schema extends ZodType = ZodType> {
  schema: Schema
  bytesMax: number
  /** An absent body counts as an empty object. */
  optional?: boolean
}

interface ResponseDeclaration<Schema extends ZodType> {
  status: 200 | 201
  /** Fields that it doesn't declare are removed. */
  schema: Schema
  /** Of text, which clients can revalidate by its ETag; JSON if it is absent. */
  mediaType?: string
  description: string
  /** Those that only this endpoint's response has. */
  headers?: ZodObject
}

/** What an endpoint that waits needs of its response: it is closed, without being finished, when the client disconnects. */
export type ClientResponse = Pick<ServerResponse, 'closed' | 'once' | 'writableFinished'>

interface Declaration {
  method: 'GET' | 'POST'
  path: string
  /** Names the operation in the document and in clients that are generated from it. */
  operationId: string
}

/** What the document says about an endpoint of the tenant API. */
interface Documented<Response extends ZodType> extends Declaration {
  tag: Tag
  summary: string
  description: string
  response: ResponseDeclaration<Response>
  /** In addition to those implied by the access. */
  errors: readonly ErrorCode[]
}

interface TenantDeclaration<
  Response extends ZodType = ZodType,
  Body extends ZodType = ZodType,
  Query extends ZodObject = ZodObject,
  Headers extends ZodObject = ZodObject,
  Result extends z.input<Response> = z.input<Response>,
  Parameters extends ZodObject = ZodObject,
> extends Documented<Response> {
  access: Access
  body?: BodyDeclaration<Body>
  query?: Query
  /** By the names that the document has. */
  headers?: Headers
  /** Of the path, which has them as `{name}`. */
  parameters?: Parameters
  /** The verification that a request names, to be found with its key. */
  nameVerification?(request: { querystring: string; body: z.output<Body> }): string | undefined
  handle(request: {
    scope: ApiKeyActorScope
    parameters: z.output<Parameters>
    body: z.output<Body>
    query: z.output<Query>
    headers: z.output<Headers>
    /** The one that `nameVerification` says, where it was looked up already. */
    found: FoundWithKey | undefined
    response: ClientResponse
  }): Promise<Result>
  /** Headers of the response that depend on the result, where it has any. */
  headersOf?(result: Result): Readonly<Record<string, string>> | undefined
}

/** Called by tenants, with an API key. */
export interface TenantEndpoint extends TenantDeclaration {
  kind: 'tenant'
}

/**
 * Called by the identity provider with a signature over the raw body, which its documentation describes. The response is 200
 * `{received: true}`.
 */
export interface ProviderEndpoint extends Declaration {
  kind: 'provider'
  bytesMax: number
  /** Of all bodies that this process is reading or handling, beyond the first 16 KiB of each. */
  bytesInFlightMax: number
  /** Returns what became of an authentic callback: the provider signed exactly the bytes of `rawBody`. */
  handle(request: { scope: Scope; callbacks: ProviderCallbacks; rawBody: Buffer }): Promise<CallbackResult>
}

interface OpenDeclaration<Response extends ZodType = ZodType, Parameters extends ZodObject = ZodObject>
  extends Documented<Response> {
  /** Of the path, which has them as `{name}`. A request that they don't fit matches no route. */
  parameters?: Parameters
  /** Of the query, with a sentence each: those that would ask for another response. All others are ignored. */
  unsupported?: Readonly<Record<string, string>>
  /** How long the response may be cached, in seconds. */
  maxAgeSeconds: number
  handle(request: { scope: Scope; parameters: z.output<Parameters> }): Promise<z.input<Response>>
}

/** Called by anyone, without credentials. */
export interface OpenEndpoint extends OpenDeclaration {
  kind: 'open'
}

/** An endpoint of the tenant API. */
export type DocumentedEndpoint = TenantEndpoint | OpenEndpoint

export type Endpoint = DocumentedEndpoint | ProviderEndpoint

/** Declares an endpoint for tenants. Its schemas type the request and the result of `handle`. */
export function tenantEndpoint<
  Response extends ZodType,
  Body extends ZodType,
  Query extends ZodObject,
  Headers extends ZodObject,
  Result extends z.input<Response>,
  Parameters extends ZodObject,
>(endpoint: TenantDeclaration<Response, Body, Query, Headers, Result, Parameters>): TenantEndpoint {
  return { kind: 'tenant', ...(endpoint as unknown as TenantDeclaration) }
}

/** Declares an endpoint for anyone. Its schemas type the request and the result of `handle`. */
export function openEndpoint<Response extends ZodType, Parameters extends ZodObject>(
  endpoint: OpenDeclaration<Response, Parameters>,
): OpenEndpoint {
  return { kind: 'open', ...(endpoint as unknown as OpenDeclaration) }
}

/** A signal that is aborted when the client disconnects before it has the response. */
export function abortOnDisconnect(response: ClientResponse): AbortSignal {
  const disconnect = new AbortController()
  const onClose = () => {
    // To abort takes longer than a look-up, because it records where it happened.
    if (!response.writableFinished) disconnect.abort()
  }
  if (response.closed) onClose()
  else response.once('close', onClose)
  return disconnect.signal
}
