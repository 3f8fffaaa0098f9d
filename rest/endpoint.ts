import type { IncomingHttpHeaders } from 'node:http'
import type { ZodObject, ZodType, z } from 'zod'
import type { ApiKeyScope, RateClass } from '#domain/api-key/api-key.policy.ts'
import type { ErrorCode } from '#domain/errors.ts'
import type { ProviderCallbacks } from '#domain/ports.ts'
import type { Scope, TenantScope } from '#domain/scope.ts'

/**
 * Who may call. `tenant`: with an API key that has the scope, counted in the window of the class. `provider`:
 * with a signature over the raw body. `anyone`: without credentials.
 */
export type Access =
  | { by: 'tenant'; scope: ApiKeyScope; rateClass: RateClass }
  | { by: 'provider' }
  | { by: 'anyone' }

export interface BodyDeclaration<Schema extends ZodType = ZodType> {
  schema: Schema
  bytesMax: number
  /** An absent body counts as an empty object. */
  optional?: boolean
}

interface Declaration {
  method: 'GET' | 'POST'
  path: string
  summary: string
  description: string
  /** Fields that are not declared do not leave. */
  answer: { status: 200 | 201; description: string; schema: ZodType }
  /** Beside those that the access implies. */
  errors: readonly ErrorCode[]
}

/** Called by tenants. */
export interface TenantEndpoint<
  Body extends ZodType = ZodType,
  Query extends ZodObject = ZodObject,
  Headers extends ZodObject = ZodObject,
> extends Declaration {
  access: Extract<Access, { by: 'tenant' }>
  body?: BodyDeclaration<Body>
  query?: Query
  headers?: Headers
  handle(request: {
    scope: TenantScope
    body: z.output<Body>
    query: z.output<Query>
    headers: z.output<Headers>
  }): Promise<unknown>
}

/** Called by the identity provider. */
export interface ProviderEndpoint extends Declaration {
  access: Extract<Access, { by: 'provider' }>
  bytesMax: number
  handle(request: {
    scope: Scope
    callbacks: ProviderCallbacks
    headers: IncomingHttpHeaders
    rawBody: Buffer
  }): Promise<unknown>
}

/** Called by anyone. */
export interface OpenEndpoint extends Declaration {
  access: Extract<Access, { by: 'anyone' }>
  /** How long the answer may be kept, in seconds. */
  maxAgeSeconds: number
  handle(request: { scope: Scope }): Promise<unknown>
}

export type Endpoint = TenantEndpoint | ProviderEndpoint | OpenEndpoint

/** Declares a tenant's endpoint, so that `handle` is typed by its schemas. */
export function tenantEndpoint<Body extends ZodType, Query extends ZodObject, Headers extends ZodObject>(
  endpoint: TenantEndpoint<Body, Query, Headers>,
): TenantEndpoint {
  return endpoint as unknown as TenantEndpoint
}
