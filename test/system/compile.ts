import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { outcomeOf } from '../harness/system-program.ts'

/** What the compiler, of this project by default, finds wrong with files of the folder, which gets a `tsconfig.json`. */
export async function compile(
  folder: string,
  compilerOptions: object,
  files: string[],
  tsc = resolve('node_modules/.bin/tsc'),
): Promise<string> {
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  return (await outcomeOf(tsc, ['-p', folder])).stdout
}
