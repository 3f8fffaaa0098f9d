import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { demoTenant } from '#test/harness/processes/demo-tenant.ts'
import { operate } from '#test/harness/processes/operate.ts'
import { eventually } from '../../harness/eventually.ts'
import { brokenWords } from './broken-words.ts'
import { type DashboardFixture, dashboardFixture } from './dashboard-fixture.ts'
import type { DashboardUser } from './dashboard-user.ts'

const pages: Record<string, string> = {
  '/first-steps': 'Get started',
  '/overview': 'Overview',
  '/verifications': 'Verifications',
  '/api-keys': 'API keys',
  '/settings': 'Settings',
  '/settings/webhook': 'Webhook settings',
  '/settings/members': 'Members',
  '/invitations': 'Invitation',
  '/tools/token': 'Token inspector',
  '/billing': 'Billing',
  '/audit-log': 'Audit log',
  '/no-such-page': 'Page not found',
}

/** What Google calls good is 0.1. */
const layoutShiftMax = 0.02
/** Long enough for the placeholders to be drawn. */
const slowResponseMs = 150
/** From this width on, in pixels, no table is shown as cards. */
const tablesFrom = 1_024
/** All other rules have the same answer in both themes. */
const colorRules = ['color-contrast', 'link-in-text-block']

const themes = ['light', 'dark'] as const
type Theme = (typeof themes)[number]

/** A service with a tenant that has something on every page. */
export function fixtureOfEveryPage(): DashboardFixture & { tenantId: string } {
  const fixture = Object.assign(dashboardFixture(), { tenantId: '' })
  before(async () => {
    const { tenantId } = await demoTenant(fixture.service)
    fixture.tenantId = tenantId
    await operate(fixture.service, 'demo', 'seed', '--tenant', tenantId, '--verifications', '120')
  })
  return fixture
}

interface Options {
  width: number
  /** In which a page begins to load. The other one follows without another load. */
  theme: Theme
  /** Further widths at which the loaded page must not scroll horizontally. */
  otherWidths: readonly number[]
}

/**
 * Loads every page from a slow service, and expects a title, and in both themes and while they change neither layout
 * shifts, violations of accessibility, horizontal scrolling nor focus rings that are cut off.
 */
export async function expectEveryPageInOrder(fixture: DashboardFixture, options: Options): Promise<void> {
  const { width, theme, otherWidths } = options
  const otherTheme = themes.find(other => other !== theme) ?? theme
  const user = await fixture.user('Olivia Owner', { width, colorScheme: theme })
  const slow = await slowService(user)
  for (const [path, name] of Object.entries(pages)) {
    await setTheme(user, theme)
    const release = slow.holdData()
    await user.openHeading(path)
    expect(await user.accessibilityViolations(), `${path} while it loads`).to.deep.equal([])
    await setTheme(user, otherTheme)
    const violations = await user.accessibilityViolations(colorRules)
    expect(violations, `${path} while it loads, ${otherTheme}`).to.deep.equal([])
    release()
    await user.loaded()
    expect(await user.page.title(), path).to.equal(`${name} · Age verification`)
    expect(await user.accessibilityViolations(), `${path}, ${otherTheme}`).to.deep.equal([])
    await setTheme(user, theme)
    expect(await user.accessibilityViolations(colorRules), `${path}, ${theme}`).to.deep.equal([])
    expect(await user.layoutShift(), `layout shift of ${path}`).to.be.below(layoutShiftMax)
    for (const scrolledAt of [width, ...otherWidths]) {
      await user.setWidth(scrolledAt)
      expect(await brokenWords(user.page), `words of ${path} at ${scrolledAt} pixels`).to.deep.equal([])
      const problem = async () =>
        (await user.scrollsHorizontally()) && `${path} scrolls at ${scrolledAt} pixels`
      // The chart takes the new width only when it was drawn once.
      await eventually(problem, { until: found => found === false })
    }
    await user.setWidth(width)
    const cards = user.page.locator('table:not([data-layout=table]):visible')
    if (width >= tablesFrom) expect(await cards.count(), `tables of ${path} as cards`).to.equal(0)
    expect(await user.clippedFocusRings(), `focus rings of ${path}`).to.deep.equal([])
  }
  expect(user.consoleErrors).to.deep.equal([])
  await slow.end()
  user.close()
}

/** Changes the theme of the system, which the page follows. */
async function setTheme({ page }: DashboardUser, colorScheme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
}

/**
 * Delays all calls of the console, and those for the data of a page until they are released. DevTools hold them, because
 * Playwright's routes would turn off the browser's cache, and every load would cost more CPU time.
 */
async function slowService({ page }: DashboardUser) {
  let held = Promise.withResolvers<void>()
  const devtools = await page.context().newCDPSession(page)
  devtools.on('Fetch.requestPaused', async ({ requestId, request }) => {
    const { promise } = held
    await wait(slowResponseMs)
    if (!request.url.includes('session.me')) await promise
    // The page may be gone.
    await devtools.send('Fetch.continueRequest', { requestId }).catch(() => undefined)
  })
  await devtools.send('Fetch.enable', { patterns: [{ urlPattern: '*/console/*' }] })
  return {
    holdData(): () => void {
      held = Promise.withResolvers()
      return held.resolve
    },
    end: () => devtools.detach(),
  }
}
