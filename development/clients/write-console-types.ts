import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCatalogue } from '#domain/error-codes.ts'
import { compile, root } from './compile.ts'

export const file = join(root, 'clients/console-api.d.ts')

/** What the compiler makes of the router names three types of other files; these stand for them. */
const namedTypes: Record<string, string> = {
  'import("./context.ts").ConsoleContext': 'object',
  'import("./trpc.ts").ProcedureMeta': '{ right: string }',
  'import("./errors.ts").ConsoleErrorData': 'ConsoleErrorData',
}
const head = `// The console API of the Age Verification Service, for clients of @trpc/client 11. It needs the types of @trpc/server.
// Generated from console-api: npm run console-types

export interface ConsoleErrorData {
  code: string
  httpStatus: number
  /** The called procedure; undefined if the request could not be parsed. */
  path: string | undefined
  error: ${Object.keys(errorCatalogue)
    .map(code => `'${code}'`)
    .join(' | ')}
  requestId: string | undefined
  details: Record<string, unknown> | undefined
}

`

/**
 * The types of the console's API, without imports of ours. They are compiled outside of the folders that `imports` of
 * package.json names, by which the compiler could otherwise call the types of packages.
 */
export async function typesOfConsole(): Promise<string> {
  await using output = await mkdtempDisposable(join(tmpdir(), 'console-types-'))
  await compile(join(root, 'console-api'), output.path)
  let types = await readFile(join(output.path, 'console-api/router.d.ts'), 'utf8')
  for (const [name, type] of Object.entries(namedTypes)) types = types.replaceAll(name, type)
  const others = types.match(/import\("[.#].*?"\)\.\w+|^import .*$/gm)
  if (others) throw new Error(`The console's types name other files: ${others.join(', ')}`)
  return head + types
}

if (import.meta.main) await writeFile(file, await typesOfConsole())
