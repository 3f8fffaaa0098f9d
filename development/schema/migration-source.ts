import { programVersion } from '#domain/schema/program-version.ts'

/** A migration of these statements. By default each program of the minor version that it follows can run on its schema. */
export function migrationSource(
  name: string,
  statements: readonly string[],
  oldestProgram = programVersion.replace(/\d+$/, '0'),
): string {
  const calls = statements.filter(sql => sql.trim() !== '').map(sql => `    this.addSql(${quote(sql)})\n`)
  return `import { SchemaMigration } from '../schema-migration.ts'

export class ${name} extends SchemaMigration {
  override name = '${name}'
  override oldestProgram = '${oldestProgram}'

  override up(): void {
${calls.join('')}  }
}
`
}

function quote(sql: string): string {
  return `\`${sql.replace(/[`$\\]/g, '\\$&')}\``
}
