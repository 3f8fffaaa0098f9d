import { z } from 'zod'
import { pageCursor, pageLimit } from '#domain/page.ts'

/** Input: text for a rule of the domain, longer than any rule allows, so that the rule itself reports what is wrong. */
export const boundedText = z.string().max(4_096)

/** Input: a list. Its entries are validated only if there are at most `max`, so that a long list costs nothing. */
export function boundedList<Entry extends z.ZodType>(entry: Entry, max: number) {
  const isShort = (value: unknown) => Array.isArray(value) && value.length <= max
  return z
    .custom<z.input<Entry>[]>(isShort, `Must be a list of at most ${max} entries.`)
    .pipe(z.array(entry).min(1))
}

/** Output: ISO 8601 in UTC, with milliseconds. */
export const timestamp = z.date().transform(date => date.toISOString())

/** Input: ISO 8601 with `Z` or an offset; a date without a time means midnight UTC. */
export const dateTime = z
  .union(
    [z.iso.datetime({ offset: true }).max(64), z.iso.date()],
    'Must be an ISO 8601 date, or date and time.',
  )
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
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() })
}
