/** The SQL type of a statement's value or result column, with the JavaScript type that stands for it. */
export interface SqlType<Value> {
  /** As PostgreSQL names it in a cast, such as `timestamptz`. */
  readonly name: string
  /** Only for the compiler; never set. */
  readonly value?: Value
}

export type SqlTypes = Record<string, SqlType<unknown>>

/** The object that a set of declared columns or values stands for. */
export type Typed<Types extends SqlTypes> = {
  [Name in keyof Types]: Types[Name] extends SqlType<infer Value> ? Value : never
}

function sqlType<Value>(name: string): SqlType<Value> {
  return { name }
}

export const uuid = sqlType<string>('uuid')
export const text = sqlType<string>('text')
export const smallint = sqlType<number>('smallint')
export const int = sqlType<number>('int')
/** Decimal digits. */
export const bigint = sqlType<string>('int8')
export const double = sqlType<number>('float8')
export const boolean = sqlType<boolean>('bool')
export const timestamp = sqlType<Date>('timestamptz')
/** `YYYY-MM-DD`. */
export const date = sqlType<string>('date')
export const bytes = sqlType<Buffer>('bytea')

/** A text column with a known set of values. */
export function textOf<Value extends string>(): SqlType<Value> {
  return sqlType('text')
}

/** A column of a SQL enum, by the name of its type. */
export function enumOf<Value extends string>(name: string): SqlType<Value> {
  return sqlType(name)
}

/** A `jsonb` column, parsed. */
export function jsonOf<Value>(): SqlType<Value> {
  return sqlType('jsonb')
}

export function arrayOf<Value>({ name }: SqlType<Value>): SqlType<Value[]> {
  return sqlType(`${name}[]`)
}

export function nullable<Value>({ name }: SqlType<Value>): SqlType<Value | null> {
  return sqlType(name)
}
