import type { Context } from 'koa'
import { z } from 'zod'
import type { DomainError } from '#domain/errors.ts'
import type { BodyDeclaration } from './endpoint.ts'
import { checkBody, invalidBody, unreadableBody } from './input.ts'
import { parseJson, readBytes } from './read-body.ts'

/** Reads a body of JSON. Throws `INVALID_REQUEST_BODY` as `readBytes` and the schema do. */
export async function readJson(
  ctx: Context,
  { schema, bytesMax, optional }: BodyDeclaration,
): Promise<unknown> {
  const type = ctx.get('Content-Type')
  const bytes = await readBytes(ctx, bytesMax)
  if (bytes.length === 0 && optional) return checkBody(schema, {})
  if (bytes.length === 0) throw unreadableBody(`is required, as JSON: ${outlineOf(schema)}`)
  if (!ctx.is('application/json')) throw notDeclaredAsJson(type)
  return checkBody(schema, parseJson(bytes))
}

/** The fields of a body, such as `{"token": …}`. */
function outlineOf(schema: z.ZodType): string {
  const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return `{${fields.map(field => `"${field}": …`).join(', ')}}`
}

function notDeclaredAsJson(type: string): DomainError {
  const message =
    type === '' ? 'is required: application/json' : `must be application/json, not ${type.slice(0, 100)}`
  return invalidBody([{ path: 'Content-Type', message }])
}
