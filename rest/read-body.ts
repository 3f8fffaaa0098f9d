import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream'
import type { Context } from 'koa'
import { DomainError } from '#domain/errors.ts'
import type { CountBytes } from '#domain/fairness/bytes-in-flight.ts'
import type { Place } from '#domain/scope.ts'
import { unreadableBody } from './input.ts'

/** Shorter than the server's limit for a whole request. */
const bodyMsMax = 10_000

/** What senders name as a content coding although nothing is encoded, beside `identity`. */
const noCodings = ['', 'identity', 'utf-8', 'utf8']

/**
 * Reads the exact bytes of the body, which signatures are computed over. `count` is called with the size of each part that
 * arrives. Throws what `readWithin` and `count` throw.
 */
export async function readBytes(
  ctx: Context,
  place: Place,
  bytesMax: number,
  count?: CountBytes,
): Promise<Buffer> {
  let length = 0
  const countPart = (bytes: number) => {
    length += bytes
    if (length > bytesMax) throw tooLarge(ctx, bytesMax)
    count?.(bytes)
  }
  return await readWithin(ctx, place, bytesMax, () => collect(ctx.req, countPart))
}

/** Whether nobody has to wait for the body. Node says that it is complete later than it has all of it. */
export function hasArrived({ req, request }: Context): boolean {
  return req.complete || req.readableLength === request.length
}

/**
 * Reads a body within the limits of every body; the request holds no place until it has arrived. Throws `INVALID_REQUEST_BODY`
 * for one that is too large, compressed, truncated, or not complete after 10 s. The connection is closed then, because the rest
 * of the body isn't read.
 */
export async function readWithin<Body>(
  ctx: Context,
  place: Place,
  bytesMax: number,
  read: () => Promise<Body>,
): Promise<Body> {
  const codings = ctx.get('Content-Encoding').split(',')
  if (!codings.every(coding => noCodings.includes(coding.trim().toLowerCase()))) {
    throw unreadable(ctx, 'must not be compressed')
  }
  // By its length, before the client is asked for any of it.
  if ((ctx.request.length ?? 0) > bytesMax) throw tooLarge(ctx, bytesMax)
  try {
    return await (hasArrived(ctx) ? read() : place.whileIdle(() => inTime(ctx, read)))
  } catch (error) {
    if (error instanceof DomainError) throw error
    // As koa-body says it of a body whose length the headers didn't name.
    if (error instanceof Error && 'status' in error && error.status === 413) throw tooLarge(ctx, bytesMax)
    throw unreadable(ctx, 'must not be truncated', error)
  }
}

async function inTime<Body>(ctx: Context, read: () => Promise<Body>): Promise<Body> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(unreadable(ctx, 'was not sent in time')), bodyMsMax)
  return await Promise.race([read(), late.promise]).finally(() => clearTimeout(timer))
}

/** Once `count` has thrown, no more is read. */
function collect(request: IncomingMessage, count: CountBytes): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => {
    try {
      count(part.length)
      parts.push(part)
    } catch (error) {
      request.pause()
      reject(error)
    }
  })
  finished(request, { writable: false }, error => (error ? reject(error) : resolve(Buffer.concat(parts))))
  return promise
}

function tooLarge(ctx: Context, bytesMax: number): DomainError {
  return unreadable(ctx, `must be at most ${bytesMax} bytes`)
}

function unreadable(ctx: Context, message: string, cause?: unknown): DomainError {
  ctx.set('Connection', 'close')
  return unreadableBody(message, cause)
}
