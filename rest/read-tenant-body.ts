import type { Context } from 'koa'
import { z } from 'zod'
import type { Place } from '#domain/scope.ts'
import { findTypeIssue } from './content-type.ts'
import type { BodyDeclaration } from './endpoint.ts'
import { checkBody, invalidBody, unreadableBody } from './input.ts'
import { readBytes } from './read-body.ts'
import { jsonReader } from './read-json.ts'

/** Returns what reads and validates the body of a request. It throws `INVALID_REQUEST_BODY`. */
export function tenantBodyReader({ schema, bytesMax, optional }: BodyDeclaration) {
  const parse = jsonReader(bytesMax)
  return async (ctx: Context, place: Place): Promise<unknown> => {
    const typeIssue = findTypeIssue(ctx)
    // An empty body needs no type.
    if (typeIssue && !(await isEmpty(ctx, place, bytesMax))) throw invalidBody([typeIssue])
    const value = typeIssue ? undefined : await parse(ctx, place)
    if (value === undefined && !optional) {
      throw unreadableBody(`is required, as JSON: ${outlineFields(schema)}`)
    }
    return checkBody(schema, value === undefined ? {} : value)
  }
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
