import { z } from 'zod'
import { retryAfterSecondsMax } from '#domain/error-details.ts'
import { exampleRequestId } from './examples.ts'

/** Response headers. Those with an id are shared by all responses that have them. */

const countMax = 2 ** 31 - 1
/** 9999-12-31. */
const unixSecondsMax = 253_402_300_799

const ofWindow = {
  limit: z.int().min(0).max(countMax),
  remaining: z.int().min(0).max(countMax),
  reset: z.int().min(0).max(unixSecondsMax),
}

export const requestIdHeaders = {
  'x-request-id': z.uuid().meta({
    header: { id: 'RequestId' },
    description: 'Identifies the request. Quote it when you contact support.',
    example: exampleRequestId,
  }),
}

/** On every response to a request that was counted, and so on every success. */
export const windowHeaders = {
  'X-RateLimit-Limit': ofWindow.limit.meta({
    header: { id: 'RateLimitLimit' },
    description: 'Requests allowed in the current window of one minute.',
    example: 60,
  }),
  'X-RateLimit-Remaining': ofWindow.remaining.meta({
    header: { id: 'RateLimitRemaining' },
    description: 'Requests remaining in the current window.',
    example: 59,
  }),
  'X-RateLimit-Reset': ofWindow.reset.meta({
    header: { id: 'RateLimitReset' },
    description: 'When the window resets, as a Unix timestamp in seconds.',
    example: 1769860860,
  }),
}

/** The same on an error that can also precede the count. */
export const windowHeadersIfCounted = {
  'X-RateLimit-Limit': ofWindow.limit.optional().meta({
    header: { id: 'RateLimitLimitIfCounted' },
    description: 'Requests allowed in the current window of one minute. Present if the request was counted.',
    example: 60,
  }),
  'X-RateLimit-Remaining': ofWindow.remaining.optional().meta({
    header: { id: 'RateLimitRemainingIfCounted' },
    description: 'Requests remaining in the current window. Present if the request was counted.',
    example: 59,
  }),
  'X-RateLimit-Reset': ofWindow.reset.optional().meta({
    header: { id: 'RateLimitResetIfCounted' },
    description:
      'When the window resets, as a Unix timestamp in seconds. Present if the request was counted.',
    example: 1769860860,
  }),
}

const seconds = z.int().min(1).max(retryAfterSecondsMax)

export const retryAfterHeaders = {
  'Retry-After': seconds.meta({
    header: { id: 'RetryAfter' },
    description: 'Seconds to wait before retrying.',
    example: 27,
  }),
}

export const retryAfterHeadersIfKnown = {
  'Retry-After': seconds.optional().meta({
    header: { id: 'RetryAfterIfKnown' },
    description:
      'Seconds to wait before retrying. Present while the service is overloaded or shuts down, and for a repeated start ' +
      'whose first request has failed or is still running.',
    example: 2,
  }),
}

export function cacheHeaders(maxAgeSeconds: number) {
  const value = `public, max-age=${maxAgeSeconds}`
  return {
    'Cache-Control': z
      .literal(value)
      .meta({ description: 'How long the response may be reused.', example: value }),
  }
}

const etag = '"x2Jk0s4b1Zq9mYtB3sAeRrVvUuTtSsRrQqPpOoNnMmL"'

export const revalidationHeaders = {
  ETag: z.string().meta({ description: 'Identifies this content.', example: etag }),
}

/** What a request for text can have. */
export const revalidation = z.object({
  'If-None-Match': z.string().optional().meta({
    description: 'The `ETag` of the content that you have. The response is 304 if it has not changed.',
    example: etag,
  }),
})
