import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { eventually } from '../../harness/eventually.ts'
import { accessibilityViolations, scrollsHorizontally } from './accessibility.ts'
import { clippedFocusRings } from './focus-rings.ts'

export interface UserOptions {
  path?: string
  colorScheme?: 'light' | 'dark'
  width?: number
}

const height = 860

const defaults = { path: '/overview', colorScheme: 'light', width: 1_280 } satisfies UserOptions

/** A signed-in user of the dashboard, with a browser context. */
export class DashboardUser {
  readonly page: Page
  /** At the local sign-in provider, which makes it the name and the email of the user as well. */
  readonly subject: string
  /** Errors in the browser's console: exceptions, blocked styles, failed requests. */
  readonly consoleErrors: string[] = []
  readonly #context: BrowserContext
  readonly #baseUrl: string
  readonly #onClose: (user: DashboardUser) => void
  #devtools: CDPSession | undefined

  private constructor(page: Page, baseUrl: string, subject: string, onClose: (user: DashboardUser) => void) {
    this.#context = page.context()
    this.subject = subject
    this.#baseUrl = baseUrl
    this.#onClose = onClose
    this.page = page
    page.on('pageerror', error => this.consoleErrors.push(error.message))
    page.on('console', message => {
      if (message.type() === 'error') this.consoleErrors.push(message.text())
    })
  }

  static async signIn(
    browser: Browser,
    baseUrl: string,
    subject: string,
    options: UserOptions,
    onClose: (user: DashboardUser) => void,
  ) {
    const { path, colorScheme, width } = { ...defaults, ...options }
    // Without transitions, the page is not checked while it fades in.
    const viewport = { width, height }
    const context = await browser.newContext({ colorScheme, viewport, reducedMotion: 'reduce' })
    const user = new DashboardUser(await context.newPage(), baseUrl, subject, onClose)
    await user.page.goto(`${baseUrl}/dashboard${path}`)
    const field = user.page.getByRole('textbox', { name: 'Sign in as another user' })
    await field.fill(subject)
    await field.press('Enter')
    await user.page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    return user
  }

  /** Loads a page in the browser context of a user who was closed and is still signed in. */
  async reopen(options: UserOptions): Promise<void> {
    const { path, colorScheme, width } = { ...defaults, ...options }
    await this.page.emulateMedia({ colorScheme })
    await this.setWidth(width)
    this.consoleErrors.length = 0
    await this.open(path)
  }

  /** Loads a page by its URL, as from a bookmark. */
  async open(path: string): Promise<void> {
    await this.openHeading(path)
    await this.loaded()
  }

  /** The same, without waiting for its data. */
  async openHeading(path: string): Promise<void> {
    await this.page.goto(`${this.#baseUrl}/dashboard${path}`)
    await this.page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  }

  /** Goes to a page without loading the dashboard again, like a link. Waits for its title. */
  async goTo(path: string, title: string): Promise<void> {
    const url = JSON.stringify(`/dashboard${path}`)
    await this.page.evaluate(
      `history.pushState(null, '', ${url}); dispatchEvent(new PopStateEvent('popstate'))`,
    )
    await eventually(() => this.page.title(), { until: shown => shown === title })
    await this.loaded()
  }

  /** Waits until the page has no placeholders left. */
  async loaded(): Promise<void> {
    await this.page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    await this.page.locator('body:not(:has(.mantine-Skeleton-root))').waitFor()
  }

  /** Resizes the page, in pixels, and waits until its tables have followed, which they do after the next frame. */
  async setWidth(width: number): Promise<void> {
    await this.page.setViewportSize({ width, height })
    await this.page.evaluate(
      'new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(done))))',
    )
  }

  /** Changes the theme of the system, which the page follows. */
  async setTheme(colorScheme: 'light' | 'dark'): Promise<void> {
    await this.page.emulateMedia({ colorScheme })
    await this.page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
  }

  /** Violations that axe finds, with rule and element. */
  async accessibilityViolations(rules?: string[]): Promise<string[]> {
    this.#devtools ??= await this.#context.newCDPSession(this.page)
    return accessibilityViolations(this.#devtools, rules)
  }

  /** The cumulative layout shift since the page was loaded. */
  layoutShift(): Promise<number> {
    return this.page.evaluate<number>(`new Promise(resolve => {
      let total = 0
      const observer = new PerformanceObserver(list => {
        for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) total += value
      })
      observer.observe({ type: 'layout-shift', buffered: true })
      requestAnimationFrame(() => setTimeout(() => resolve(total)))
    })`)
  }

  scrollsHorizontally(): Promise<boolean> {
    return scrollsHorizontally(this.page)
  }

  /** The controls whose focus ring is not entirely visible: in the open dialog if there is one. */
  clippedFocusRings(): Promise<string[]> {
    return clippedFocusRings(this.page)
  }

  /** The context stays open for the next test that needs this user. */
  close(): void {
    this.#onClose(this)
  }
}
