import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '../../../harness/eventually.ts'

export interface SavedFile {
  fileName: string
  text: string
}

/** The CSV file that a browser saves in a folder after an action: for browsers that don't report downloads. */
export async function readSavedFile(folder: string, action: () => Promise<void>): Promise<SavedFile> {
  const readNames = async () => (await readdir(folder)).filter(name => name.endsWith('.csv'))
  const before = await readNames()
  await action()
  return await eventually(
    async () => {
      const fileName = (await readNames()).find(name => !before.includes(name)) ?? ''
      return { fileName, text: fileName && (await readFile(join(folder, fileName), 'utf8')) }
    },
    { until: ({ text }) => text !== '' },
  )
}
