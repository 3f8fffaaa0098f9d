import type { Page } from 'playwright-core'

/**
 * Records layout shifts from the next load on. The returned function resolves to the cumulative layout shift since the
 * latest load, without shifts that follow the user's input within half a second.
 */
export async function recordLayoutShift(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(`
    globalThis.layoutShift = 0
    new PerformanceObserver(list => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.layoutShift += value
    }).observe({ type: 'layout-shift', buffered: true })
  `)
  return () => page.evaluate<number>('globalThis.layoutShift')
}
