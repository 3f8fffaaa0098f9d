import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { create } from 'tar'

/** Writes the files of a folder, below a prefix, to a compressed archive that is the same on every machine. */
export async function writeArchive(file: string, cwd: string, prefix: string, mtime: Date): Promise<void> {
  const entries = await readdir(cwd, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const paths = files.map(path => relative(cwd, path)).toSorted()
  await create({ file, cwd, prefix, gzip: true, portable: true, mtime }, paths)
}
