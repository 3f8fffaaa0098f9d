import { z } from 'zod'
import { retryAfterSecondsMax } from '#domain/error-details.ts'
import { exampleRequestId } from './examples.ts'

/** Response headers. Those with an id are shared by all responses that have them. */

const countMax = 2 ** 31 - 1
/** 9999-12-31. */
const unixSecondsMax = 253_402_300_799

const window = [
  ['X-RateLimit-Limit', 'Limit', countMax, 'Requests allowed in the current window of one minute.', 60],
  ['X-RateLimit-Remaining', 'Remaining', countMax, 'Requests remaining in the current window.', 59],
  [
    'X-RateLimit-Reset',
    'Reset',
    unixSecondsMax,
    'When the window resets, as a Unix timestamp in seconds.',
    1769860860,
  ],
] as const

export const requestIdHeaders = {
  'x-request-id': z.uuid().meta({
    header: { id: 'RequestId' },
    description: 'Identifies the request. Quote it when you contact support.',
    example: exampleRequestId,
  }),
}

/** On every response to a request that was counted, and so on every success. */
export const windowHeaders = Object.fromEntries(
  window.map(([name, part, maximum, description, example]) => {
    const header = { id: `RateLimit${part}` }
    return [name, z.int().min(0).max(maximum).meta({ header, description, example })]
  }),
)

/** The same on an error that can also precede the count. */
export const windowHeadersIfCounted = Object.fromEntries(
  window.map(([name, part, maximum, sentence, example]) => {
    const header = { id: `RateLimit${part}IfCounted` }
    const description = `${sentence} Present if the request was counted.`
    return [name, z.int().min(0).max(maximum).optional().meta({ header, description, example })]
  }),
)

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
