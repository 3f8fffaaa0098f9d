import { groupMsMax, groupWrites } from '../database/grouped-writes.ts'
import { int, type SqlTypes, type Typed, uuid } from '../database/sql-types.ts'
import { placeholder, type StatementPool, statement } from '../database/statement.ts'
import { arraysOf, toArrays } from '../database/value-arrays.ts'
import { boundsOf } from './verification-lookup.ts'

export interface WriteDefinition<Values extends SqlTypes, Row extends SqlTypes> {
  name: string
  /** The statement for one write. */
  text: string
  /**
   * The queries of the statement for several writes. They read `writes w`, with a column for each value, named in snake
   * case, and `position`; `:name` is the array of the values, `:firstId` and `:lastId` are the first and the last
   * verification. The last query returns `position` and the row of each write that is done; the others are repeated alone.
   *
   * A table must not be joined by its key alone: the planner may read a table as a whole that was small when it planned.
   * It looks rows up by `any` of an array, in a lateral subquery with `offset 0`, or by a `ctid` that such a subquery found.
   */
  batchText: string
  values: Values & { tenantId: typeof uuid; verificationId: typeof uuid }
  row: Row
}

/**
 * Declares a write of one verification. Those that arrive together share one statement (`grouped-writes.ts`). Calls
 * return the row, or undefined if there is none. They throw `DATABASE_ERROR`.
 */
export function verificationWrite<const Values extends SqlTypes, const Row extends SqlTypes>(
  definition: WriteDefinition<Values, Row>,
) {
  type Write = Typed<Values> & { tenantId: string; verificationId: string }
  type Written = Typed<Row> | undefined
  const { name, text, row } = definition
  const values: SqlTypes = definition.values
  const names = Object.keys(values)
  const alone = statement({ name, text, values, row })
  const batchText = `with writes as materialized (${writesOf(names)}), ${definition.batchText}`
  const bounds = batchText.includes(':firstId') ? { firstId: uuid, lastId: uuid } : {}
  const together = statement({
    name: `${name}-batch`,
    text: batchText,
    values: { ...arraysOf(values), ...bounds },
    row: { position: int, ...row },
  })
  const write = groupWrites<Write, Written>({
    one: async (pool, one) => (await alone(pool, one))[0] as Written,
    async many(pool, writes, callers) {
      const rows = await together(pool, { ...toArrays(names, writes), ...boundsOf(writes) }, callers)
      const written = new Array<Written>(writes.length).fill(undefined)
      for (const each of rows as (Typed<Row> & { position: number })[]) written[each.position - 1] = each
      return written
    },
    tenantOf: ({ tenantId }) => tenantId,
    keyOf: ({ verificationId }) => verificationId,
  })
  return Object.assign((pool: StatementPool, one: Write): Promise<Written> => write(pool, one), {
    statements: [alone, together] as const,
  })
}

/**
 * In one order, so that groups of several processes don't deadlock. They wait for a locked row for a limited time: then each
 * is repeated alone.
 */
function writesOf(names: readonly string[]): string {
  const columns = [...names.map(toSnakeCase), 'position']
  return `select * from unnest(${names.map(name => `:${name}`).join()}) with ordinality as given (${columns.join()})
     where (select set_config('lock_timeout', '${groupMsMax}', true)) is not null
     order by verification_id`
}

/** An expression of a statement for one write, in the statement for several. */
export function ofWrites(expression: string): string {
  return expression.replace(placeholder, (_, name: string) => `w.${toSnakeCase(name)}`)
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
