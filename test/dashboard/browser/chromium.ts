import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The headless shell is the same browser without its windows, and takes two thirds of the CPU time. */
const programs = ['chromium-headless-shell', 'chromium']

/** The path of the browser's executable; undefined if none is installed. */
export const chromiumPath = programs
  .flatMap(program => ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)].map(at => join(at, program)))
  .find(isExecutable)

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
