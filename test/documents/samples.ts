import { readFileSync } from 'node:fs'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { temporaryFolder } from '../development/temporary-folder.ts'

interface CodeBlock {
  language: string
  /** A file of `docs/samples`; `run` for shell commands that are run in order; empty for what is only read. */
  name: string
  code: string
}

export function codeBlocks(document: string): CodeBlock[] {
  const blocks = readFileSync(document, 'utf8').matchAll(/^```(\w*)(?: (\S+))?\n(.*?)^```$/gms)
  return [...blocks].map(([, language = '', name = '', code = '']) => ({ language, name, code }))
}

/** The shell commands of a document that are run, in its order. */
export function shellScript(document: string): string {
  const commands = codeBlocks(document).filter(({ language, name }) => language === 'sh' && name === 'run')
  if (commands.length === 0) throw new Error(`${document} has no commands to run`)
  return commands.map(({ code }) => code).join('\n')
}

/**
 * A folder during the surrounding suite, with `docs/samples`, and with the TypeScript client and our packages in its
 * `node_modules`. Returns its path.
 */
export function useSamples(): () => string {
  const folder = temporaryFolder()
  before('copy the samples', () => copySamples(folder.path))
  return () => folder.path
}

async function copySamples(folder: string): Promise<void> {
  await cp('docs/samples', folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  for (const name of ['express', 'koa', 'fastify', 'hono', 'jose', '@types/node']) {
    const link = join(folder, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(resolve('node_modules', name), link)
  }
  const client = join(folder, 'node_modules/@age-verification/client')
  await mkdir(client, { recursive: true })
  await symlink(resolve('clients/typescript/src'), join(client, 'src'))
  const exports = { '.': './src/index.ts', './offline': './src/offline/token-verifier.ts' }
  await writeFile(join(client, 'package.json'), JSON.stringify({ type: 'module', exports }))
}
