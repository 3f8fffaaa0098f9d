import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Browser,
  type BrowserContextOptions,
  type Page,
  firefox as playwrightFirefox,
} from 'playwright-core'
import { findProgram } from '../../../harness/system-program.ts'
import { installedChromium, launchChromium } from '../chromium.ts'
import type { Engine, SavedFile } from './engine.ts'
import { readSavedFile } from './saved-file.ts'

export const chromium: Engine = {
  name: 'Chromium',
  requirements: [installedChromium],
  async launch() {
    const browser = await launchChromium()
    return {
      async newUser() {
        // As a windowed browser lets a click copy, without asking.
        const page = await openPage(browser, { permissions: ['clipboard-write'] })
        return { page, download: action => readDownload(page, action) }
      },
      close: () => browser.close(),
    }
  },
}

const firefoxPath = findProgram('firefox-esr') ?? findProgram('firefox')

/**
 * The released Firefox, over WebDriver BiDi. It reports no downloads of blobs. Playwright 1.65 sends a command that Firefox 153, the ESR release, doesn't have.
 */
export const firefox: Engine = {
  name: 'Firefox',
  requirements: [
    {
      isMissing: firefoxPath === undefined,
      reason: 'no firefox-esr or firefox (apt-get install firefox-esr)',
    },
  ],
  async launch() {
    const folder = await mkdtemp(join(tmpdir(), 'age-verification-firefox-'))
    const browser = await playwrightFirefox.launch({
      channel: 'moz-firefox',
      executablePath: firefoxPath!,
      downloadsPath: folder,
      // It emulates no media features.
      firefoxUserPrefs: { 'ui.prefersReducedMotion': 1 },
    })
    return {
      async newUser() {
        const page = await openPage(browser)
        return { page, download: action => readSavedFile(folder, action) }
      },
      async close() {
        await browser.close()
        await rm(folder, { recursive: true, force: true })
      },
    }
  },
}

async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ ...options, viewport: { width: 1_280, height: 860 } })
  return await context.newPage()
}

async function readDownload(page: Page, action: () => Promise<void>): Promise<SavedFile> {
  const started = page.waitForEvent('download')
  await action()
  const file = await started
  return { fileName: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}
