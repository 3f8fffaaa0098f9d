import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, firefox } from 'playwright-core'
import { findProgram, type Requirement } from '../../../harness/system-program.ts'

const path = findProgram('firefox-esr') ?? findProgram('firefox')

export const installedFirefox: Requirement = {
  isMissing: path === undefined,
  reason: 'no firefox-esr or firefox (apt-get install firefox-esr)',
}

export interface LaunchedFirefox {
  browser: Browser
  /** Where it saves files: it reports no downloads of blobs. */
  downloads: string
  close(): Promise<void>
}

/** The released Firefox, over WebDriver BiDi: requests can't be changed, and no time set. */
export async function launchFirefox(): Promise<LaunchedFirefox> {
  const downloads = await mkdtemp(join(tmpdir(), 'age-verification-firefox-'))
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: path!,
    downloadsPath: downloads,
    // It emulates no media features.
    firefoxUserPrefs: { 'ui.prefersReducedMotion': 1 },
  })
  return {
    browser,
    downloads,
    async close() {
      await browser.close()
      await rm(downloads, { recursive: true, force: true })
    },
  }
}
