import { z } from 'zod'

/** Part of a list that is ordered by id, newest first: stable while new items arrive. */
export interface Page<Item> {
  items: Item[]
  /** Asks for the items after these; null at the end. */
  nextCursor: string | null
}

export interface PageRequest {
  /** Items at most, 1 to 100; 50 by default. */
  limit?: number | undefined
  /** `nextCursor` of the page before. */
  cursor?: string | null | undefined
}

const itemsMax = 100

export const pageLimit = z
  .int('The limit must be a whole number.')
  .min(1, 'The limit must be at least 1.')
  .max(itemsMax, `The limit must be at most ${itemsMax}.`)
  .default(50)

export const pageCursor = z.uuid('The cursor is not one that a list gave.').nullish()

/** The page in `found`, which was asked for one item more than the page holds. */
export function cutPage<Item>(found: Item[], limit: number, idOf: (item: Item) => string): Page<Item> {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, nextCursor: last && found.length > limit ? idOf(last) : null }
}
