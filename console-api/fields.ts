import { z } from 'zod'
import { pageCursor, pageLimit } from '#domain/page.ts'

/** Leaves as ISO 8601, UTC, with milliseconds. */
export const timestamp = z.date().transform(date => date.toISOString())

/** A moment, as ISO 8601 with `Z` or an offset; a date alone is its midnight in UTC. */
export const moment = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], 'Must be an ISO 8601 date, or date and time.')
  .transform(text => new Date(text))

/** A day of UTC as `YYYY-MM-DD`; a moment stands for the day that it is in. */
export const day = moment.transform(date => date.toISOString().slice(0, 10))

/** For procedures that take nothing: no input, or an empty object. */
export const noInput = z.strictObject({}).optional()

/** The input of lists that are read page by page. */
export const pageFields = {
  limit: pageLimit,
  /** `nextCursor` of the page before. */
  cursor: pageCursor,
  /** Sent by TanStack Query's infinite queries; pages go one way only. */
  direction: z.literal('forward').optional(),
}

/** What a list answers; `nextCursor` is null on the last page. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() })
}
