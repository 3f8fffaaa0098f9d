import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { koaBody } from 'koa-body'
import { DomainError } from '#domain/errors.ts'
import type { CountBytes } from './bytes-in-flight.ts'
import { unreadableBody } from './input.ts'
import { locateJsonError } from './locate-json-error.ts'

/** Shorter than the server's limit for a whole request. */
export const bodyMsMax = 10_000

export interface ReadingLimits {
  msMax?: number
  /** Called with the size of each part that arrives. */
  count?: CountBytes
}

/**
 * Reads the exact bytes of the body: signatures are computed over them, and invalid UTF-8 must be detected instead
 * of being replaced. Throws `INVALID_REQUEST_BODY` for a body that is too large, compressed, truncated, or not complete
 * after `msMax` milliseconds; and what `count` throws.
 */
export async function readBytes(ctx: Context, bytesMax: number, limits: ReadingLimits = {}): Promise<Buffer> {
  const encoding = ctx.get('Content-Encoding')
  if (encoding !== '' && encoding !== 'identity') throw unreadable(ctx, 'must not be compressed')
  // A body without a media type, which callbacks may have, is read like any other.
  if (!ctx.is('*/*')) ctx.req.headers['content-type'] = 'application/octet-stream'
  try {
    await within(
      ctx.req,
      limits,
      readerFor(bytesMax)(ctx, async () => {}),
    )
  } catch (error) {
    if (error instanceof DomainError) throw error
    throw unreadable(ctx, reasonOf(error, bytesMax), error)
  }
  const bytes: unknown = ctx.request.body
  // Without a body, koa-body leaves it undefined.
  return Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0)
}

/** Parses JSON in UTF-8. Throws `INVALID_REQUEST_BODY` with the line and column of what is not JSON. */
export function parseJson(bytes: Buffer): unknown {
  const text = decode(bytes)
  try {
    return JSON.parse(text)
  } catch {
    throw notJson(text)
  }
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw unreadableBody('must be UTF-8')
  }
}

function notJson(text: string): DomainError {
  const located = locateJsonError(text)
  if (!located) return unreadableBody('must be valid JSON')
  const { line, column, problem } = located
  return unreadableBody(`must be valid JSON: ${problem} at line ${line}, column ${column}`, { line, column })
}

/**
 * Rejects after `msMax` milliseconds, and with what `count` throws. The connection is closed then, which ends the reading
 * as well.
 */
async function within(
  request: IncomingMessage,
  { msMax = bodyMsMax, count }: ReadingLimits,
  reading: Promise<unknown>,
): Promise<void> {
  const stopped = Promise.withResolvers<never>()
  const timer = setTimeout(() => stopped.reject(new BodyTimeoutError()), msMax)
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

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
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

function reasonOf(error: unknown, bytesMax: number): string {
  if (error instanceof BodyTimeoutError) return 'was not sent in time'
  const type = error instanceof Error && 'type' in error ? error.type : undefined
  if (type === 'entity.too.large') return `must be at most ${bytesMax} bytes`
  return 'must not be truncated'
}

/** Closes the connection afterwards, because the rest of the body isn't read. */
function unreadable(ctx: Context, message: string, cause?: unknown): DomainError {
  ctx.set('Connection', 'close')
  return unreadableBody(message, { cause })
}
