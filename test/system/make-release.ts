import { existsSync } from 'node:fs'
import { appendFile, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { migrationSource } from '#development/schema/migration-source.ts'
import { root } from '../harness/processes/service-process.ts'
import { sharedResource } from '../harness/run/shared-resources.ts'

export interface NextMigration {
  name: string
  statements: string[]
  /** The author's default otherwise. */
  oldestProgram?: string
  /** False for one that runs without a transaction. */
  isTransactional?: boolean
}

export interface Release {
  version: string
  /** Where its program is. */
  folder: string
  /** All that follow those of this checkout. */
  migrations: readonly NextMigration[]
}

/** What a release doesn't run. */
const ignored = /^(\.git|\.data|node_modules|test|deploy)(\/|$)/

/** Writes this program as another release: with its version and further migrations, to an empty folder. */
export async function makeRelease({ version, folder, migrations }: Release): Promise<void> {
  await copyProgram(folder)
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await replaceIn(join(folder, 'package.json'), /"version": ".*?"/, `"version": "${version}"`)
  const schema = join(folder, 'domain/schema')
  for (const migration of migrations) {
    const { name } = migration
    await writeFile(join(schema, `migrations/${name}.ts`), writeSource(migration))
    await appendFile(join(schema, 'migration-list.ts'), `import { ${name} } from './migrations/${name}.ts'\n`)
  }
  const names = migrations.map(({ name }) => name).join(', ')
  await replaceIn(
    join(schema, 'migration-list.ts'),
    /(Constructor<SchemaMigration>\[\] = \[.*?),?\s*\]/s,
    `$1, ${names}]`,
  )
}

/** This program as `npm run build` and `npm prune --omit=dev` leave it, to an empty folder. */
export async function makePrunedRelease(folder: string): Promise<void> {
  await copyProgram(folder)
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  for (const [path, { dev = false }] of Object.entries<{ dev?: boolean }>(packages)) {
    // What a package has of its own comes with it.
    if (dev || !/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) || !existsSync(join(root, path))) continue
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await symlink(join(root, path), join(folder, path))
  }
}

async function copyProgram(folder: string): Promise<void> {
  await sharedResource('built')
  const isCopied = (path: string) => !ignored.test(path.slice(root.length + 1))
  await cp(root, folder, { recursive: true, preserveTimestamps: true, filter: isCopied })
}

function writeSource({ name, statements, oldestProgram, isTransactional = true }: NextMigration): string {
  const source = migrationSource(name, statements, oldestProgram)
  if (isTransactional) return source
  return source.replace(/\}\n$/, '\n  override isTransactional(): boolean {\n    return false\n  }\n}\n')
}

/** Throws an `Error` if the file doesn't contain what is replaced. */
export async function replaceIn(file: string, pattern: RegExp, replacement: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  if (!pattern.test(text)) throw new Error(`${file} does not contain ${pattern}`)
  await writeFile(file, text.replace(pattern, replacement))
}
