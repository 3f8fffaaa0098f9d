import type { Page } from 'playwright-core'

/** Tries to close the tab, and stays on the page when the browser asks. Returns what it asks: `beforeunload`. */
export async function tryToCloseTab(page: Page): Promise<string> {
  const question = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const asked = await question
  await asked.dismiss()
  return asked.type()
}
