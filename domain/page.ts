import { z } from 'zod'
import { readParameter } from './parameters.ts'

/**
 * One page of a list ordered by id, newest first. Pages stay stable while new items arrive. A page has fewer items than
 * its limit, and a cursor, where they would be too large.
 */
export interface Page<Item> {
  items: Item[]
  /** Cursor of the next page; null on the last one. */
  nextCursor: string | null
}

export interface PageRequest {
  /** Maximum number of items, 1 to 100; 50 by default. */
  limit?: number | undefined
  /** `nextCursor` of the previous page. */
  cursor?: string | null | undefined
}

const itemsMax = 100
/** Of a page's items as JSON, so that a response stays below 64 KiB. */
const itemBytesMax = 40 * 1024

export const pageLimit = z
  .int('The limit must be a whole number.')
  .min(1, 'The limit must be at least 1.')
  .max(itemsMax, `The limit must be at most ${itemsMax}.`)
  .default(50)

export const pageCursor = z.uuid('The cursor must be the nextCursor of a previous page.').nullish()

/** The limit and the cursor of a request. Throws `INVALID_PARAMETERS`. */
export function readPage({ limit, cursor }: PageRequest) {
  return {
    limit: readParameter('limit', pageLimit, limit),
    cursor: readParameter('cursor', pageCursor, cursor),
  }
}

/** The page in `found`, which was queried with one item more than the page's limit. */
export function cutPage<Item>(found: Item[], limit: number, idOf: (item: Item) => string): Page<Item> {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, nextCursor: last && found.length > items.length ? idOf(last) : null }
}

/** The same for items with texts, of which as many as the limit may be too large. */
export function cutPageBySize<Item>(found: Item[], limit: number, idOf: (item: Item) => string): Page<Item> {
  return cutPage(found, Math.min(limit, countThatFit(found)), idOf)
}

/** How many items fit into a page: at least one. */
function countThatFit(items: unknown[]): number {
  let bytes = 0
  const tooMany = items.findIndex((item, index) => {
    bytes += Buffer.byteLength(JSON.stringify(item))
    return bytes > itemBytesMax && index > 0
  })
  return tooMany === -1 ? items.length : tooMany
}

/** The items of all pages, for commands and jobs. */
export async function allPages<Item>(list: (request: PageRequest) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null | undefined
  do {
    const page = await list({ limit: itemsMax, cursor })
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor)
  return items
}
