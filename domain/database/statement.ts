import { toDatabaseError } from './database-error.ts'
import type { SqlTypes, Typed } from './sql-types.ts'

/** The part of a `pg` pool that prepared statements use. */
export interface StatementPool {
  query(statement: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>
}

export interface StatementDefinition<Values extends SqlTypes = SqlTypes, Row extends SqlTypes = SqlTypes> {
  /** Unique: the driver prepares a statement once per connection under its name. */
  name: string
  /** SQL with values written as `:name`. Each occurrence is cast to the value's declared type. */
  text: string
  values: Values
  /** The columns of a result row; empty for a statement whose rows nobody reads. */
  row: Row
}

export interface Statement<Values extends SqlTypes = SqlTypes, Row extends SqlTypes = SqlTypes> {
  (pool: StatementPool, values: Readonly<Typed<Values>>): Promise<Typed<Row>[]>
  readonly definition: StatementDefinition<Values, Row>
  /** The SQL that is sent, with `$1`, `$2`, … in the order of `definition.values`, after a comment with the name. */
  readonly sql: string
}

/**
 * Declares a prepared statement. It is compiled once, here: a call only builds the array of its values, which makes
 * it as fast as bare `pg`. Export it, so that tests find and prepare it, and check its types.
 * Throws a `TypeError` for an undeclared or unused value. Calls throw `DATABASE_ERROR`.
 */
export function statement<const Values extends SqlTypes, const Row extends SqlTypes>(
  definition: StatementDefinition<Values, Row>,
): Statement<Values, Row> {
  const { name } = definition
  const names = Object.keys(definition.values)
  const sql = compile(definition, names)
  async function run(pool: StatementPool, values: Readonly<Typed<Values>>): Promise<Typed<Row>[]> {
    try {
      const { rows } = await pool.query({ name, text: sql, values: names.map(value => values[value]) })
      return rows as Typed<Row>[]
    } catch (error) {
      throw toDatabaseError(error, name)
    }
  }
  return Object.assign(run, { definition, sql })
}

/** `:name`, but not the `::type` of a cast. */
export const placeholder = /(?<![:\w]):([a-z]\w*)/gi

function compile({ name, text, values }: StatementDefinition, names: string[]): string {
  const used = new Set<string>()
  const sql = text.replace(placeholder, (_, value: string) => {
    const type = values[value]
    if (!type) throw new TypeError(`The statement ${name} does not declare the value :${value}`)
    used.add(value)
    return `$${names.indexOf(value) + 1}::${type.name}`
  })
  const unused = names.filter(value => !used.has(value))
  if (unused.length > 0) throw new TypeError(`The statement ${name} does not use ${unused.join(', ')}`)
  // For `pg_stat_activity` and the server's log, which don't have the name.
  return `/* ${name} */ ${sql}`
}
