import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of the browser's executable; undefined if none is installed. */
export const chromiumPath = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)]
  .map(folder => join(folder, 'chromium'))
  .find(isExecutable)

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
