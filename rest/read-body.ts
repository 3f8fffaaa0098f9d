import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { koaBody } from 'koa-body'
import { DomainError } from '#domain/errors.ts'
import type { CountBytes } from './bytes-in-flight.ts'
import { unreadableBody } from './input.ts'
import { locateJsonError } from './locate-json-error.ts'

/** Shorter than the server's limit for a whole request. */
const bodyMsMax = 10_000

/** What senders name as a content coding although nothing is encoded, beside `identity`. */
const noCodings = ['', 'identity', 'utf-8', 'utf8']

/**
 * Reads the exact bytes of the body: signatures are computed over them, and invalid UTF-8 must be detected instead
 * of being replaced. Throws `INVALID_REQUEST_BODY` for a body that is too large, compressed, truncated, or not complete
 * after 10 s; and what `count` throws, which is called with the size of each part that arrives.
 */
export async function readBytes(ctx: Context, bytesMax: number, count?: CountBytes): Promise<Buffer> {
  const codings = ctx.get('Content-Encoding').split(',')
  if (!codings.every(coding => noCodings.includes(coding.trim().toLowerCase()))) {
    throw unreadable(ctx, 'must not be compressed')
  }
  delete ctx.req.headers['content-encoding']
  // A body without a media type, which callbacks may have, is read like any other.
  if (!ctx.is('*/*')) ctx.req.headers['content-type'] = 'application/octet-stream'
  // By its length, before the client is asked for any of it.
  if ((ctx.request.length ?? 0) > bytesMax) throw unreadable(ctx, tooLarge(bytesMax))
  try {
    const reading = readerFor(bytesMax)(ctx, async () => {})
    await withinLimits(ctx.req, reading, count)
  } catch (error) {
    if (error instanceof DomainError) throw error
    throw unreadable(ctx, toReason(error, bytesMax), error)
  }
  const bytes: unknown = ctx.request.body
  // Without a body, koa-body leaves it undefined.
  return Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0)
}

/** Parses JSON in UTF-8. Throws `INVALID_REQUEST_BODY` with the line and column of what is not JSON. */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw unreadableBody('must be UTF-8')
  return parseJsonText(bytes.toString())
}

/** The same of a text. */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw notJson(text)
  }
}

/** The error for a text that is not JSON. */
export function notJson(text: string): DomainError {
  const located = locateJsonError(text)
  if (!located) return unreadableBody('must be valid JSON')
  const { line, column, problem } = located
  return unreadableBody(`must be valid JSON: ${problem} at line ${line}, column ${column}`, { line, column })
}

/** Rejects after the deadline, and with what `count` throws. The connection is closed then, which ends the reading as well. */
async function withinLimits(
  request: IncomingMessage,
  reading: Promise<unknown>,
  count?: CountBytes,
): Promise<void> {
  const stopped = Promise.withResolvers<never>()
  const timer = setTimeout(() => stopped.reject(new BodyTimeoutError()), bodyMsMax)
  const onData = ({ length }: Buffer) => {
    try {
      count?.(length)
    } catch (error) {
      stopped.reject(error)
    }
  }
  if (count) request.on('data', onData)
  try {
    await Promise.race([reading, stopped.promise])
  } finally {
    clearTimeout(timer)
    request.off('data', onData)
  }
}

class BodyTimeoutError extends Error {}

const readers = new Map<number, ReturnType<typeof koaBody>>()

function readerFor(bytesMax: number): ReturnType<typeof koaBody> {
  const existing = readers.get(bytesMax)
  if (existing) return existing
  const reader = koaBody({
    json: false,
    urlencoded: false,
    textTypes: ['*/*'],
    textLimit: bytesMax,
    encoding: '', // No decoding: the body is a Buffer.
  })
  readers.set(bytesMax, reader)
  return reader
}

function toReason(error: unknown, bytesMax: number): string {
  if (error instanceof BodyTimeoutError) return 'was not sent in time'
  const type = error instanceof Error && 'type' in error ? error.type : undefined
  return type === 'entity.too.large' ? tooLarge(bytesMax) : 'must not be truncated'
}

function tooLarge(bytesMax: number): string {
  return `must be at most ${bytesMax} bytes`
}

/** Closes the connection afterwards, because the rest of the body isn't read. */
function unreadable(ctx: Context, message: string, cause?: unknown): DomainError {
  ctx.set('Connection', 'close')
  return unreadableBody(message, { cause })
}
