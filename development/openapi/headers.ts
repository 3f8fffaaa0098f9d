import { z } from 'zod'
import { retryAfterSecondsMax } from '#domain/error-details.ts'

/** Response headers. Those with an id are shared by all responses that have them. */

export const exampleRequestId = '7cf9b0dc-1e3d-4699-8944-a4bcfb141e31'

const countMax = 2 ** 31 - 1
/** 9999-12-31. */
const unixSecondsMax = 253_402_300_799

const window = [
  ['Limit', countMax, 'Requests allowed in the current window of one minute.', 60],
  ['Remaining', countMax, 'Requests remaining in the current window.', 59],
  ['Reset', unixSecondsMax, 'When the window resets, as a Unix timestamp in seconds.', 1769860860],
] as const

/** On every response to a request that was counted, and so on every success. */
export const windowHeaders = createWindowHeaders(false)

/** The same on an error that can also precede the count. */
export const windowHeadersIfCounted = createWindowHeaders(true)

function createWindowHeaders(optional: boolean): Record<string, z.ZodType> {
  return Object.fromEntries(
    window.map(([part, maximum, sentence, example]) => {
      const header = { id: `RateLimit${part}${optional ? 'IfCounted' : ''}` }
      const description = optional ? `${sentence} Present if the request was counted.` : sentence
      const value = z.int().min(0).max(maximum)
      return [
        `X-RateLimit-${part}`,
        (optional ? value.optional() : value).meta({ header, description, example }),
      ]
    }),
  )
}

export const requestIdHeaders = {
  'x-request-id': z.uuid().meta({
    header: { id: 'RequestId' },
    description: 'Identifies the request. Quote it when you contact support.',
    example: exampleRequestId,
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
      'Seconds to wait before retrying. Present while the service is overloaded or shuts down, while the identity provider ' +
      'limits starts, and for a repeated start whose first request has failed or is still running.',
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
