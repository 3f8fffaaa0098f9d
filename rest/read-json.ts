import { isUtf8 } from 'node:buffer'
import type { Context } from 'koa'
import { koaBody } from 'koa-body'
import type { Place } from '#domain/scope.ts'
import { unreadableBody } from './input.ts'
import { readWithin } from './read-body.ts'

/**
 * Returns what parses a body whose type is JSON; undefined for an empty one. That throws `INVALID_REQUEST_BODY` as
 * `readWithin` and `parseJson` do.
 */
export function jsonReader(bytesMax: number): (ctx: Context, place: Place) => Promise<unknown> {
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
    if (!error) return ctx.request.rawBody ? ctx.request.body : undefined
    parseJson(error.body)
    // The only thing in JSON that koa-body rejects.
    throw unreadableBody('must have no field __proto__')
  }
  return (ctx, place) => readWithin(ctx, place, bytesMax, () => read(ctx))
}

/** koa-body's, which has the text that is not JSON. */
function isSyntaxError(error: unknown): error is SyntaxError & { body: string } {
  return error instanceof SyntaxError && 'body' in error
}

/** Throws `INVALID_REQUEST_BODY`, without the words of the engine, which repeat parts of the body. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unreadableBody('must be valid JSON')
  }
}
