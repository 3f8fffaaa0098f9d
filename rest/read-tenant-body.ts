import type { Context } from 'koa'
import { z } from 'zod'
import { assertStillAdmitted } from '#domain/api-key/assert-still-admitted.ts'
import { type ApiKeyActorScope, type Place, scopeAt } from '#domain/scope.ts'
import { findTypeIssue } from './content-type.ts'
import type { BodyDeclaration, TenantEndpoint } from './endpoint.ts'
import { checkBody, invalidBody, unreadableBody } from './input.ts'
import { readBytes } from './read-body.ts'
import { jsonReader } from './read-json.ts'

/** For so long an admission holds while the body arrives. */
const admissionMs = 1_000

/**
 * Returns what reads the body of a request that was admitted by its headers. It throws `INVALID_REQUEST_BODY`; after a wait,
 * also an `AdmissionError` if the API key has lost its access meanwhile.
 */
export function tenantBodyReader(body: BodyDeclaration, access: TenantEndpoint['access']) {
  const parse = jsonReader(body.bytesMax)
  return async (ctx: Context, scope: ApiKeyActorScope, place: Place): Promise<unknown> => {
    const begunAt = performance.now()
    const value = await readDeclared(ctx, place, body, parse)
    if (performance.now() - begunAt > admissionMs) {
      await assertStillAdmitted(scopeAt(scope, scope.clock()), access.scope)
    }
    return value
  }
}

/** Throws `INVALID_REQUEST_BODY` as `parse` and the schema do. */
async function readDeclared(
  ctx: Context,
  place: Place,
  { schema, bytesMax, optional }: BodyDeclaration,
  parse: ReturnType<typeof jsonReader>,
): Promise<unknown> {
  const typeIssue = findTypeIssue(ctx)
  // An empty body needs no type.
  if (typeIssue && !(await isEmpty(ctx, place, bytesMax))) throw invalidBody([typeIssue])
  const value = typeIssue ? undefined : await parse(ctx, place)
  if (value === undefined && !optional) {
    throw unreadableBody(`is required, as JSON: ${outlineFields(schema)}`)
  }
  return checkBody(schema, value === undefined ? {} : value)
}

/** Without the body, if the headers say it. */
async function isEmpty(ctx: Context, place: Place, bytesMax: number): Promise<boolean> {
  const { length } = ctx.request
  if (length !== undefined) return length === 0
  return !ctx.get('Expect') && (await readBytes(ctx, place, bytesMax)).length === 0
}

/** The fields of a body, such as `{"token": …}`. */
function outlineFields(schema: z.ZodType): string {
  const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return `{${fields.map(field => `"${field}": …`).join(', ')}}`
}
