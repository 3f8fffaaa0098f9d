import type { Page } from 'playwright-core'

/** Requests for the menus and dialogs of every page fail from now on, until the page's routes are removed. */
export async function overlaysAreMissing(page: Page): Promise<void> {
  await page.route('**/assets/overlays-*.js', route => route.abort())
}
