import type { Page } from 'playwright-core'

/** The scripts of the first page, of the other pages, and what they share. */
const ofPages = ['main', 'app', 'more', 'rolldown-runtime', '[a-z-]+-page']

/**
 * Requests for the code of a part of the shell, by default of all that is loaded later, fail from now on as when the
 * service restarts, until the page's routes are removed.
 */
export async function partsAreMissing(page: Page, part = `(?!(${ofPages.join('|')})-).+`): Promise<void> {
  await page.route(new RegExp(`/assets/${part}-[^/]+\\.js$`), route => route.abort())
}
