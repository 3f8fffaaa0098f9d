import { z } from 'zod'
import { pageCursor, pageLimit } from '#domain/page.ts'

/** Output: ISO 8601 in UTC, with milliseconds. */
export const timestamp = z.date().transform(date => date.toISOString())

/** Input: ISO 8601 with `Z` or an offset; a date without a time means midnight UTC. */
export const dateTime = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], 'Must be an ISO 8601 date, or date and time.')
  .transform(text => new Date(text))

/** Input: a UTC day as `YYYY-MM-DD`, or a time within the day. */
export const day = dateTime.transform(date => date.toISOString().slice(0, 10))

/** Input of procedures without parameters: nothing, or an empty object. */
export const noInput = z.strictObject({}).optional()

/** Input of paginated lists. */
export const pageFields = {
  limit: pageLimit,
  /** `nextCursor` of the previous page. */
  cursor: pageCursor,
  /** Sent by TanStack Query's infinite queries; only forward paging exists. */
  direction: z.literal('forward').optional(),
}

/** Output of lists; `nextCursor` is null on the last page. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() })
}
