import { batchLookups } from '../database/batch-lookups.ts'
import { groupWrites } from '../database/grouped-writes.ts'
import type { SqlTypes, Typed } from '../database/sql-types.ts'
import type { StatementPool } from '../database/statement.ts'
import { type PositionedRow, type StatementForEach, toArrays } from '../database/value-arrays.ts'

/** A statement with an array of each column of several verifications. */
type SeveralStatement<Row> = (pool: StatementPool, values: Record<string, unknown>) => Promise<Row[]>

/** A look-up of one verification by these columns. Those of the same turn share the statement (`batch-lookups.ts`). */
export function sharedLookup<const Columns extends SqlTypes, Row extends PositionedRow>(
  columns: Columns,
  statement: SeveralStatement<Row>,
) {
  return batchLookups<Typed<Columns> & { verificationId: string }, Row>(forEach(columns, statement))
}

/** A write of one verification with these columns. Those that arrive together share the statement (`grouped-writes.ts`). */
export function sharedWrite<const Columns extends SqlTypes, Row extends PositionedRow>(
  columns: Columns,
  statement: SeveralStatement<Row>,
) {
  return groupWrites<Typed<Columns> & { tenantId: string; verificationId: string }, Row>({
    write: forEach(columns, statement),
    tenantOf: ({ tenantId }) => tenantId,
    keyOf: ({ verificationId }) => verificationId,
  })
}

function forEach<Row extends PositionedRow>(
  columns: SqlTypes,
  statement: SeveralStatement<Row>,
): StatementForEach<object, Row> {
  const names = Object.keys(columns)
  return (pool, items) => statement(pool, toArrays(names, items))
}
