import { hash } from 'node:crypto'

/** The text of migration-list.ts with a further migration. */
export function addToList(list: string, name: string): string {
  return list
    .replace(/(?=import type \{ SchemaMigration)/, `import { ${name} } from './migrations/${name}.ts'\n`)
    .replace(/(?<=^const migrations.* = \[[^\]]*?),?\s*\]/m, `, ${name}]`)
}

/** The text of checksums.txt, as `sha256sum` writes it, with the checksum of a file instead of an earlier one of its own. */
export function setChecksum(checksums: string, file: string, content: string): string {
  const others = checksums.split('\n').filter(line => line !== '' && !line.endsWith(`  ${file}`))
  return `${[...others, `${hash('sha256', content)}  ${file}`].join('\n')}\n`
}
