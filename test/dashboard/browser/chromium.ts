import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The browser of the tests; undefined where there is none. */
export const chromiumPath = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)]
  .map(folder => join(folder, 'chromium'))
  .find(isProgram)

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
