import type { Page } from 'playwright-core'

/** Holds the console's responses to a procedure, as on a slow network, until the returned function is called. */
export async function holdResponses(page: Page, procedure: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const isHeld = ({ pathname }: URL) => pathname.startsWith('/console/') && pathname.includes(procedure)
  await page.route(isHeld, async route => {
    await promise
    await route.continue()
  })
  return resolve
}
