import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Statement } from '#domain/database/statement.ts'

const files = globSync('domain/**/*.ts', { exclude: ['domain/schema/create-migration.ts'] })
const modules = await Promise.all(files.map(file => import(resolve(file)) as Promise<object>))

/** Every prepared statement that the domain exports, those for one and for several verifications included. */
export const statements = modules.flatMap(exported => Object.values(exported).flatMap(statementsIn))

function statementsIn(value: unknown): Statement[] {
  if (typeof value !== 'function') return []
  if ('statements' in value) return value.statements as Statement[]
  return 'definition' in value ? [value as unknown as Statement] : []
}
