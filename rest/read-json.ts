import { isUtf8 } from 'node:buffer'
import type { Context } from 'koa'
import { koaBody } from 'koa-body'
import type { DomainError } from '#domain/errors.ts'
import { unreadableBody } from './input.ts'
import { locateJsonError } from './locate-json-error.ts'
import { readWithin } from './read-body.ts'

/**
 * Returns what parses a body whose type is JSON; undefined for an empty one. That throws `INVALID_REQUEST_BODY` as
 * `readWithin` and `parseJson` do.
 */
export function jsonReader(bytesMax: number): (ctx: Context) => Promise<unknown> {
  const others = { text: false, urlencoded: false }
  const parse = koaBody({ jsonLimit: bytesMax, jsonStrict: false, includeUnparsed: true, ...others })
  const read = async (ctx: Context) => {
    const parts: Buffer[] = []
    ctx.req.on('data', (part: Buffer) => parts.push(part))
    // Of the codings that encode nothing, koa-body knows this one.
    ctx.req.headers['content-encoding'] = 'identity'
    const error = await parse(ctx, async () => {}).catch((error: unknown) => error)
    if (error && !isSyntaxError(error)) throw error
    // koa-body replaces what is not UTF-8: another text than the one that was sent would be read.
    if (!isUtf8(Buffer.concat(parts))) throw unreadableBody('must be UTF-8')
    if (error) throw notJson(error.body)
    return ctx.request.rawBody ? ctx.request.body : undefined
  }
  return ctx => readWithin(ctx, bytesMax, () => read(ctx))
}

/** koa-body's, which has the text that is not JSON. */
function isSyntaxError(error: unknown): error is SyntaxError & { body: string } {
  return error instanceof SyntaxError && 'body' in error
}

/** Throws `INVALID_REQUEST_BODY` with the line and column of what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw notJson(text)
  }
}

/** The error for a text that is not JSON. */
export function notJson(text: string): DomainError {
  const located = locateJsonError(text)
  // The only thing in JSON that koa-body rejects.
  if (!located) return unreadableBody('must have no field __proto__')
  const { line, column, problem } = located
  return unreadableBody(`must be valid JSON: ${problem} at line ${line}, column ${column}`, { line, column })
}
