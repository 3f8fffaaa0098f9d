import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

export const root = join(import.meta.dirname, '../..')
const compiler = join(root, 'node_modules/typescript/bin/tsc')

/** In one thread: how the compiler names a type can depend on which of several threads gets to it first. */
export async function compile(project: string, output: string): Promise<void> {
  await promisify(execFile)(process.execPath, [
    compiler,
    '-p',
    project,
    '--outDir',
    output,
    '--singleThreaded',
  ])
}
