import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import type { UserOptions } from './dashboard-stage.ts'

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** A person at the dashboard. */
export class DashboardUser {
  readonly page: Page
  /** What the browser complained about: broken scripts, blocked styles, requests that failed. */
  readonly complaints: string[] = []
  readonly #context: BrowserContext
  readonly #baseUrl: string
  #devtools: CDPSession | undefined

  private constructor(context: BrowserContext, page: Page, baseUrl: string) {
    this.#context = context
    this.#baseUrl = baseUrl
    this.page = page
    page.on('pageerror', error => this.complaints.push(error.message))
    page.on('console', message => {
      if (message.type() === 'error') this.complaints.push(message.text())
    })
  }

  static async signIn(browser: Browser, baseUrl: string, name: string, options: UserOptions) {
    const { path = '/overview', colorScheme = 'light', width = 1_280 } = options
    // Without motion, nothing is judged while it fades in.
    const viewport = { width, height: 860 }
    const context = await browser.newContext({ colorScheme, viewport, reducedMotion: 'reduce' })
    context.setDefaultTimeout(15_000)
    const user = new DashboardUser(context, await context.newPage(), baseUrl)
    await user.page.goto(`${baseUrl}/dashboard${path}`)
    await user.page.getByRole('button', { name: new RegExp(name) }).click()
    await user.page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    return user
  }

  /** Opens a page by its address, as from a bookmark. */
  async open(path: string): Promise<void> {
    await this.page.goto(`${this.#baseUrl}/dashboard${path}`)
    await this.loaded()
  }

  /** Waits until nothing on the page is loading. */
  async loaded(): Promise<void> {
    await this.page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    await this.page.locator('body:not(:has(.mantine-Skeleton-root))').waitFor()
  }

  /** What axe finds wrong, by rule and place. DevTools put it there: the page's own policy would not let it run. */
  async accessibilityFaults(): Promise<string[]> {
    this.#devtools ??= await this.#context.newCDPSession(this.page)
    await this.#devtools.send('Runtime.evaluate', { expression: axe })
    const expression = `axe.run(document, { runOnly: ${JSON.stringify(rules)} })`
    const parameters = { expression, awaitPromise: true, returnByValue: true }
    const { result } = await this.#devtools.send('Runtime.evaluate', parameters)
    const { violations } = result.value as AxeResults
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(' ')}`))
  }

  scrollsSideways(): Promise<boolean> {
    return this.page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth')
  }

  leave(): Promise<void> {
    return this.#context.close()
  }
}
