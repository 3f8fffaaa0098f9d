import type { Context } from 'koa'
import { z } from 'zod'
import { assertStillAdmitted } from '#domain/api-key/assert-still-admitted.ts'
import { type ApiKeyActorScope, scopeAt, whileIdle } from '#domain/scope.ts'
import { findTypeIssue } from './content-type.ts'
import type { BodyDeclaration, TenantEndpoint } from './endpoint.ts'
import { checkBody, invalidBody, unreadableBody } from './input.ts'
import { parseJson, readBytes } from './read-body.ts'

/** For so long an admission holds while the body arrives. */
const admissionMs = 1_000

/**
 * Reads the body of a request that was admitted by its headers. While it waits for the client, the request is no load of
 * the process. Throws `INVALID_REQUEST_BODY`; after a wait, also an `AdmissionError` if the API key has lost its access
 * meanwhile.
 */
export async function readTenantBody(
  ctx: Context,
  scope: ApiKeyActorScope,
  { body, access }: { body: BodyDeclaration; access: TenantEndpoint['access'] },
): Promise<unknown> {
  const begunAt = performance.now()
  const read = () => readJson(ctx, body)
  const value = await (ctx.req.complete ? read() : whileIdle(scope.request, read))
  if (performance.now() - begunAt > admissionMs) {
    await assertStillAdmitted(scopeAt(scope, scope.clock()), access.scope)
  }
  return value
}

/** Reads a body of JSON. Throws `INVALID_REQUEST_BODY` as `readBytes` and the schema do. */
async function readJson(ctx: Context, { schema, bytesMax, optional }: BodyDeclaration): Promise<unknown> {
  const typeIssue = findTypeIssue(ctx)
  // Without the body, if there surely is one. An empty one needs no type.
  if (typeIssue && (ctx.request.length ?? ctx.get('Expect'))) throw invalidBody([typeIssue])
  const bytes = await readBytes(ctx, bytesMax)
  if (bytes.length === 0 && optional) return checkBody(schema, {})
  if (bytes.length === 0) throw unreadableBody(`is required, as JSON: ${outlineFields(schema)}`)
  if (typeIssue) throw invalidBody([typeIssue])
  return checkBody(schema, parseJson(bytes))
}

/** The fields of a body, such as `{"token": …}`. */
function outlineFields(schema: z.ZodType): string {
  const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return `{${fields.map(field => `"${field}": …`).join(', ')}}`
}
