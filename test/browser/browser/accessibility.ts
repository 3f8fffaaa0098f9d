import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { CDPSession, Page } from 'playwright-core'

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const allRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Violations that axe finds, with rule and element. DevTools run it: the page's content security policy blocks it. */
export async function accessibilityViolations(devtools: CDPSession, rules = allRules): Promise<string[]> {
  const { result: type } = await devtools.send('Runtime.evaluate', { expression: 'typeof axe' })
  if (type.value === 'undefined') await devtools.send('Runtime.evaluate', { expression: axe })
  // Only violations are of interest: collecting everything that passes takes most of the time.
  const options = JSON.stringify({ runOnly: rules, resultTypes: ['violations'], preload: false })
  const expression = `axe.run(document, ${options}).then(({ violations }) => violations)`
  const parameters = { expression, awaitPromise: true, returnByValue: true }
  const { result } = await devtools.send('Runtime.evaluate', parameters)
  const violations = result.value as AxeResults['violations']
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(' ')}`))
}

/** Whether the page is wider than its window. */
export function scrollsHorizontally(page: Page): Promise<boolean> {
  return page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth')
}
