import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Statement } from '#domain/database/statement.ts'

const files = globSync('domain/**/*.ts')
const modules = await Promise.all(files.map(file => import(resolve(file)) as Promise<object>))

/** Every prepared statement that the domain exports, those of a declaration that makes several included. */
export const statements = modules.flatMap(exported => Object.values(exported).flatMap(statementsIn))

function statementsIn(value: unknown): Statement[] {
  const { statements, definition } = Object(value)
  return statements ?? (typeof value === 'function' && definition ? [value] : [])
}
