import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Statement } from '#domain/database/statement.ts'

export const files = globSync(['domain/**/*.ts', 'operator/queries/*.ts'])
const modules = await Promise.all(files.map(file => import(resolve(file)) as Promise<object>))

/** Every prepared statement that is exported, those of a declaration that makes several included. */
export const statements = modules.flatMap(exported => Object.values(exported).flatMap(statementsIn))

function statementsIn(value: unknown): Statement[] {
  const { statements, definition } = Object(value)
  return statements ?? (typeof value === 'function' && definition ? [value] : [])
}
