import { groupMsMax, groupWrites } from '../database/grouped-writes.ts'
import { int, type SqlTypes, type Typed, uuid } from '../database/sql-types.ts'
import { type StatementPool, statement } from '../database/statement.ts'
import { arrayTypes, atPositions, toArrays } from '../database/value-arrays.ts'
import { toRange } from './verification-lookup.ts'

export interface WriteDefinition<Values extends SqlTypes, Row extends SqlTypes> {
  name: string
  /**
   * The queries of the statement. They read `writes w`, with a column for each value, named in snake case, and `position`;
   * `(:verificationIds)` are the verifications. The last query returns `position` and the row of each write that is done. Of
   * several writes, those without a row are repeated alone.
   *
   * A table must not be joined by its key alone: the planner may read a table as a whole that was small when it planned.
   * It looks rows up `in (:verificationIds)`, in a lateral subquery with `offset 0`, or by a `ctid` that such a subquery found.
   */
  text: string
  values: Values & { tenantId: typeof uuid; verificationId: typeof uuid }
  row: Row
}

/**
 * Declares a write of one verification. Those that arrive together share one statement (`grouped-writes.ts`). One that is
 * alone has the same queries over a single row of constants, which costs PostgreSQL half as much. Calls return the row, or
 * undefined if there is none. They throw `DATABASE_ERROR`.
 */
export function verificationWrite<const Values extends SqlTypes, const Row extends SqlTypes>(
  definition: WriteDefinition<Values, Row>,
) {
  type Write = Typed<Values> & { tenantId: string; verificationId: string }
  type Written = Typed<Row> | undefined
  const { name, text } = definition
  const values: SqlTypes = definition.values
  const row = { position: int, ...definition.row }
  const names = Object.keys(values)
  const alone = statement({ name, text: `with ${oneWrite(names)}, ${withIds(text, 'one')}`, values, row })
  const bounds: SqlTypes = idsPattern.test(text) ? { firstId: uuid, lastId: uuid } : {}
  const together = statement({
    name: `${name}-batch`,
    text: `with ${severalWrites(names)}, ${withIds(text, 'several')}`,
    values: { ...arrayTypes(values), ...bounds },
    row,
  })
  const write = groupWrites<Write, Written>({
    one: async (pool, one) => (await alone(pool, one))[0] as Written,
    async many(pool, writes, callers) {
      const rows = await together(pool, { ...toArrays(names, writes), ...toRange(writes) }, callers)
      return atPositions(rows, writes.length) as Written[]
    },
    tenantOf: ({ tenantId }) => tenantId,
    keyOf: ({ verificationId }) => verificationId,
  })
  return Object.assign((pool: StatementPool, one: Write): Promise<Written> => write(pool, one), {
    statements: [alone, together] as const,
  })
}

function oneWrite(names: readonly string[]): string {
  const columns = names.map(name => `:${name} as ${toSnakeCase(name)}`)
  return `writes as not materialized (select ${columns.join()}, 1 as position)`
}

/**
 * In one order, so that groups of several processes don't deadlock. They wait for a locked row for a limited time: then each
 * is repeated alone.
 */
function severalWrites(names: readonly string[]): string {
  const columns = [...names.map(toSnakeCase), 'position::int']
  return `writes as materialized (
     select ${columns.join()} from unnest(${names.map(name => `:${name}`).join()})
       with ordinality as given (${[...names.map(toSnakeCase), 'position'].join()})
     where (select set_config('lock_timeout', '${groupMsMax}', true)) is not null
     order by verification_id
   )`
}

const idsPattern = /(\S+) in \(:verificationIds\)/

/** The bounds limit the partitions that are read. */
function withIds(text: string, writes: 'one' | 'several'): string {
  const condition =
    writes === 'one'
      ? '$1 = :verificationId'
      : '$1 = any (:verificationId) and $1 between :firstId and :lastId'
  return text.replace(new RegExp(idsPattern, 'g'), condition)
}

export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
