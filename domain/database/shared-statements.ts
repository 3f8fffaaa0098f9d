import { batchLookups } from './batch-lookups.ts'
import { groupWrites } from './grouped-writes.ts'
import type { SqlTypes, Typed } from './sql-types.ts'
import type { StatementPool } from './statement.ts'
import { type PositionedRow, type StatementForEach, toArrays } from './value-arrays.ts'

/** A statement with an array of each value of several rows (`arrayTypes`). */
type ArrayStatement<Row> = (pool: StatementPool, values: Record<string, unknown>) => Promise<Row[]>

/** A look-up of one row by these values. Those of the same turn share the statement (`batch-lookups.ts`). */
export function sharedLookup<const Values extends SqlTypes, Row extends PositionedRow>(
  values: Values,
  statement: ArrayStatement<Row>,
) {
  return batchLookups<Typed<Values>, Row>(forEach(values, statement))
}

/** A write for one verification with these values. Those that arrive together share the statement (`grouped-writes.ts`). */
export function sharedWrite<const Values extends SqlTypes, Row extends PositionedRow>(
  values: Values,
  statement: ArrayStatement<Row>,
) {
  return groupWrites<Typed<Values> & { tenantId: string; verificationId: string }, Row>({
    write: forEach(values, statement),
    tenantOf: ({ tenantId }) => tenantId,
    keyOf: ({ verificationId }) => verificationId,
  })
}

function forEach<Row extends PositionedRow>(
  values: SqlTypes,
  statement: ArrayStatement<Row>,
): StatementForEach<object, Row> {
  const names = Object.keys(values)
  return (pool, items) => statement(pool, toArrays(names, items))
}
