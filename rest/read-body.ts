import type { Context } from 'koa'
import { koaBody } from 'koa-body'
import type { DomainError } from '#domain/errors.ts'
import { invalidInput } from './input.ts'

/**
 * Reads the body's very bytes: a signature is over them, and text that is not UTF-8 must not be mended silently.
 * koa-body reads within the limit, as latin1, which keeps each byte as it is.
 * Throws `INVALID_REQUEST_BODY` for a body that is too large, compressed or cut short.
 */
export async function readBytes(ctx: Context, bytesMax: number): Promise<Buffer> {
  const encoding = ctx.get('Content-Encoding')
  if (encoding !== '' && encoding !== 'identity') throw unreadable(ctx, 'must not be compressed')
  const declaredType = ctx.req.headers['content-type']
  ctx.req.headers['content-type'] = 'text/plain'
  try {
    await readerFor(bytesMax)(ctx, async () => {})
  } catch (error) {
    throw unreadable(ctx, faultOf(error, bytesMax), error)
  } finally {
    ctx.req.headers['content-type'] = declaredType
  }
  const text: unknown = ctx.request.body
  return Buffer.from(typeof text === 'string' ? text : '', 'latin1')
}

/** Parses JSON in UTF-8. Throws `INVALID_REQUEST_BODY`. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (error) {
    const fault = error instanceof SyntaxError ? 'must be valid JSON' : 'must be UTF-8'
    throw invalidInput('INVALID_REQUEST_BODY', [{ path: '', message: fault }])
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const readers = new Map<number, ReturnType<typeof koaBody>>()

function readerFor(bytesMax: number): ReturnType<typeof koaBody> {
  const known = readers.get(bytesMax)
  if (known) return known
  const reader = koaBody({
    json: false,
    urlencoded: false,
    text: true,
    textTypes: ['text/plain'],
    textLimit: bytesMax,
    encoding: 'latin1',
  })
  readers.set(bytesMax, reader)
  return reader
}

function faultOf(error: unknown, bytesMax: number): string {
  const type = error instanceof Error && 'type' in error ? error.type : undefined
  if (type === 'entity.too.large') return `must be at most ${bytesMax} bytes`
  return 'must arrive whole'
}

/** What is left of the body is not waited for. */
function unreadable(ctx: Context, message: string, cause?: unknown): DomainError {
  ctx.set('Connection', 'close')
  return invalidInput('INVALID_REQUEST_BODY', [{ path: '', message }], cause)
}
