import { isUtf8 } from 'node:buffer'
import type { Context } from 'koa'
import { koaBody } from 'koa-body'
import { unreadableBody } from './input.ts'
import { notJson } from './parse-json.ts'
import { readWithin } from './read-body.ts'

/**
 * Returns what parses a body whose type is JSON; undefined for an empty one. That throws `INVALID_REQUEST_BODY` as
 * `readWithin` does, and with the line and column of what is not JSON.
 */
export function jsonReader(bytesMax: number): (ctx: Context) => Promise<unknown> {
  const parse = koaBody({ jsonLimit: bytesMax, jsonStrict: false, includeUnparsed: true })
  const read = async (ctx: Context) => {
    const parts: Buffer[] = []
    ctx.req.on('data', (part: Buffer) => parts.push(part))
    // It knows no coding that encodes nothing but `identity`.
    delete ctx.req.headers['content-encoding']
    const error = await parse(ctx, async () => {}).catch((error: unknown) => error)
    if (error && !isSyntaxError(error)) throw error
    // It replaces what is not UTF-8, so that another text than the one that was sent would be read.
    if (!isUtf8(Buffer.concat(parts))) throw unreadableBody('must be UTF-8')
    if (error) throw notJson(error.body)
    return ctx.request.rawBody ? ctx.request.body : undefined
  }
  return ctx => readWithin(ctx, bytesMax, () => read(ctx))
}

/** It has the text that is not JSON. */
function isSyntaxError(error: unknown): error is SyntaxError & { body: string } {
  return error instanceof SyntaxError && 'body' in error
}
