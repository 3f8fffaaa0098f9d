import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import type { Requirement } from '../../harness/system-program.ts'

/** The headless shell is the same browser without its windows, and takes two thirds of the CPU time. */
const programs = ['chromium-headless-shell', 'chromium']

/** The path of the browser's executable; undefined if none is installed. */
const chromiumPath = programs
  .flatMap(program => ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)].map(at => join(at, program)))
  .find(isExecutable)

export const installedChromium: Requirement = {
  isMissing: chromiumPath === undefined,
  reason: 'no chromium-headless-shell or chromium in /usr/bin or on the PATH',
}

/** Pages are drawn without a process of their own for graphics: the tests read them, and spend a tenth less CPU time. */
const chromiumArguments = [
  '--no-sandbox',
  '--no-zygote',
  '--disable-background-networking',
  '--disable-gpu',
  '--in-process-gpu',
]

/** Only where one is installed. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath!, args: chromiumArguments })
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
