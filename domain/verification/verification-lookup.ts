import { batchLookups } from '../database/batch-lookups.ts'
import { int, type SqlTypes, type Typed, uuid } from '../database/sql-types.ts'
import { placeholder, statement } from '../database/statement.ts'
import { arrayTypes, atPositions, toArrays } from '../database/value-arrays.ts'

export interface LookupDefinition<Values extends SqlTypes, Row extends SqlTypes> {
  name: string
  /** A query that ends with the `where` clause by which it finds at most one row of `verification v`. */
  text: string
  values: Values & { verificationId: typeof uuid }
  row: Row
}

/**
 * Declares a look-up of one verification by its id. Calls of the same turn of the event loop share one statement
 * (`batch-lookups.ts`), which runs the query for each of them. It reads the partitions between the first and the last id
 * only. `offset 0` keeps the planner from joining with a small partition as a whole, which may have grown since.
 * Calls throw `DATABASE_ERROR`.
 */
export function verificationLookup<const Values extends SqlTypes, const Row extends SqlTypes>(
  definition: LookupDefinition<Values, Row>,
) {
  type Key = Typed<Values> & { verificationId: string }
  type Found = Typed<Row> | undefined
  const { name, text, row } = definition
  const values: SqlTypes = definition.values
  const names = Object.keys(values)
  const alone = statement({ name, text, values, row })
  const together = statement({
    name: `${name}-batch`,
    text: `select key.position::int as position, found.*
     from unnest(${names.map(each => `:${each}`).join()})
       with ordinality as key (${names.map(quoted).join()}, position)
     cross join lateral (
       ${text.replace(placeholder, (_, each: string) => `key.${quoted(each)}`)}
         and v.id between :firstId and :lastId offset 0
     ) found`,
    values: { ...arrayTypes(values), firstId: uuid, lastId: uuid },
    row: { position: int, ...row },
  })
  const lookUp = batchLookups<Key, Found>({
    one: async (pool, key) => (await alone(pool, key))[0] as Found,
    async many(pool, keys, callers) {
      const rows = await together(pool, { ...toArrays(names, keys), ...toRange(keys) }, callers)
      return atPositions(rows, keys.length) as Found[]
    },
  })
  return Object.assign(lookUp, { statements: [alone, together] as const })
}

const quoted = (name: string) => `"${name}"`

/** The first and the last id, so that a statement reads the partitions between them only. */
export function toRange(keys: readonly { verificationId: string }[]): { firstId: string; lastId: string } {
  const ids = keys.map(({ verificationId }) => verificationId.toLowerCase()).sort()
  return { firstId: ids[0] ?? '', lastId: ids.at(-1) ?? '' }
}
