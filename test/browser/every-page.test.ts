import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { addMember, operate } from '#test/harness/processes/operate.ts'
import { eventually } from '../harness/eventually.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'
import { brokenWords } from './browser/expect-to-fit.ts'
import { verify } from './browser/verify.ts'

const pages: Record<string, string> = {
  '/first-steps': 'Get started',
  '/overview': 'Overview',
  '/verifications': 'Verifications',
  '/api-keys': 'API keys',
  '/settings': 'Settings',
  '/settings/webhook': 'Webhook settings',
  '/settings/members': 'Members',
  '/invitations': 'Invitation',
  '/billing': 'Billing',
  '/audit-log': 'Audit log',
  '/no-such-page': 'Page not found',
}

/** What Google calls good is 0.1. */
const layoutShiftMax = 0.02
/** From this width on, in pixels, no table is shown as cards. */
const tablesFrom = 1_024
/** From so many starts on, some whole quota is near, also on the first day of a month. */
const startsMin = 14
/** All other rules have the same answer in both themes. */
const colorRules = ['color-contrast', 'link-in-text-block']

describe(browserTitle('every page of the dashboard'), () => {
  const fixture = dashboardFixture()
  before(
    'write a history, so that every page has something: also fifteen members, and a warning',
    async () => {
      const { service, tenantId } = fixture
      await operate(service, 'demo', 'seed', '--tenant', tenantId, '--verifications', '120')
      for (let number = 4; number <= 15; number++) {
        await addMember(service, tenantId, `member-${number}@example.com`, 'viewer')
      }
      await Promise.all(Array.from({ length: startsMin }, () => verify(fixture)))
      const plan = `near-${randomUUID()}`
      const { usage } = await operate(service, 'tenant', 'show', '--tenant', tenantId)
      const quota = String(Math.ceil(usage / 0.85))
      await operate(service, 'plan', 'set', '--name', plan, '--monthly-quota', quota)
      await operate(service, 'tenant', 'set-plan', '--tenant', tenantId, '--plan', plan)
    },
  )

  for (const { width, theme, otherTheme, otherWidths } of [
    { width: 375, theme: 'dark', otherTheme: 'light', otherWidths: [320] },
    { width: 1_280, theme: 'light', otherTheme: 'dark', otherWidths: [1_024, 768] },
  ] as const) {
    describe(`at a width of ${width} pixels`, () => {
      let user: DashboardUser
      let data: Awaited<ReturnType<typeof holdData>>
      before(async () => {
        user = await fixture.user('owner', { width, colorScheme: theme })
        data = await holdData(user)
      })
      after(async () => {
        await data.end()
        user.close()
      })

      for (const [path, name] of Object.entries(pages)) {
        it(`${path} is accessible in both themes, moves nothing while it loads and does not scroll horizontally`, async () => {
          const release = data.hold()
          await user.openHeading(path)
          expect(await user.accessibilityViolations(), 'while it loads').to.deep.equal([])
          release()
          await user.loaded()
          expect(await user.page.title()).to.equal(`${name} · Age verification`)
          expect(await user.accessibilityViolations(), theme).to.deep.equal([])
          await user.setTheme(otherTheme)
          expect(await user.accessibilityViolations(colorRules), otherTheme).to.deep.equal([])
          await user.setTheme(theme)
          expect(await user.layoutShift(), 'layout shift').to.be.below(layoutShiftMax)
          for (const scrolledAt of [width, ...otherWidths]) {
            await user.setWidth(scrolledAt)
            expect(await brokenWords(user.page), `${scrolledAt} pixels`).to.deep.equal([])
            // The chart takes the new width only when it was drawn once.
            await eventually(() => user.scrollsHorizontally(), { until: scrolls => !scrolls })
          }
          await user.setWidth(width)
          const cards = user.page.locator('table:not([data-layout=table]):visible')
          if (width >= tablesFrom) await eventually(() => cards.count(), { until: count => count === 0 })
          expect(await user.clippedFocusRings()).to.deep.equal([])
          expect(user.consoleErrors).to.deep.equal([])
        })
      }
    })
  }

  it('has a menu at a width of 320 pixels, which returns the focus', async () => {
    const user = await fixture.user('owner', { width: 320 })
    const button = user.page.getByRole('button', { name: 'Open navigation' })
    const menu = user.page.getByRole('navigation', { name: 'Dashboard' })
    await button.click()
    await menu.waitFor()
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await user.page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    await button.and(user.page.locator(':focus')).click()
    await menu.getByRole('button', { name: 'Close navigation' }).click()
    await menu.waitFor({ state: 'hidden' })
    await button.click()
    await menu.getByRole('link', { name: 'Billing' }).click()
    await user.page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor()
    await menu.waitFor({ state: 'hidden' })
    user.close()
  })

  it('lets a viewer read and explains why controls are disabled', async () => {
    const user = await fixture.user('viewer', { path: '/api-keys' })
    const { page } = user
    const reason = "The viewer role can't create or revoke API keys."
    await page.getByText(reason).waitFor()
    await page.getByRole('button', { name: 'Create API key' }).focus()
    await page.getByRole('tooltip', { name: reason }).waitFor()
    await page.keyboard.press('Enter')
    expect(await page.getByRole('dialog').count()).to.equal(0)
    await user.goTo('/settings/members', 'Members · Age verification')
    await page.getByText("The viewer role can't manage members.").waitFor()
    await page.getByRole('button', { name: 'Actions for member-4@example.com' }).click()
    await page.locator('[role=menuitem][aria-disabled=true]').nth(1).waitFor()
    expect(await page.getByRole('menuitem').count()).to.equal(2)
    await page.keyboard.press('Escape')
    await user.goTo('/settings/webhook', 'Webhook settings · Age verification')
    await page.getByText("The viewer role can't change settings or view secrets.").waitFor()
    user.close()
  })

  describe('of a tenant that is not served', () => {
    afterEach('restore the tenant', async () => {
      await operateTenant('set-subscription', '--state', 'active')
      await operateTenant('enable')
    })

    it('warns on every page when the subscription is inactive or the tenant is disabled', async () => {
      const user = await fixture.user('owner')
      await operateTenant('set-subscription', '--state', 'inactive')
      for (const path of ['/overview', '/billing']) {
        await user.open(path)
        await user.page.getByText('The subscription is inactive').waitFor()
      }
      await operateTenant('disable')
      await user.open('/api-keys')
      await user.page.getByText('This tenant is disabled').waitFor()
      expect(await user.accessibilityViolations()).to.deep.equal([])
      user.close()
    })

    it('says so as soon as a change is rejected for that reason', async () => {
      const user = await fixture.user('owner', { path: '/settings' })
      const { page } = user
      await operateTenant('disable')
      await page.getByRole('textbox', { name: 'Name' }).fill('Too late')
      await page.getByRole('button', { name: 'Save name' }).click()
      await page.getByRole('status').getByText('This tenant is disabled').waitFor()
      await page.locator('main button[aria-disabled=true]', { hasText: 'Save name' }).waitFor()
      user.close()
    })
  })

  function operateTenant(command: string, ...options: string[]) {
    return operate(fixture.service, 'tenant', command, '--tenant', fixture.tenantId, ...options)
  }
})

/** Between two responses: long enough for the first to be drawn. */
const betweenMs = 80

/**
 * Can hold the data of a page until it is released: then it comes one response after the other, in the order of the
 * requests, as over a slow connection. DevTools do it, because Playwright's routes would turn off the browser's cache,
 * and every load would cost more CPU time.
 */
async function holdData({ page }: DashboardUser) {
  let held = Promise.withResolvers<void>()
  let previous = Promise.resolve()
  const devtools = await page.context().newCDPSession(page)
  // The page may be gone.
  const proceed = (requestId: string) =>
    devtools.send('Fetch.continueRequest', { requestId }).catch(() => undefined)
  const proceedInTurn = async (requestId: string, turn: Promise<void>) => {
    await held.promise
    await turn
    await proceed(requestId)
    await setTimeout(betweenMs)
  }
  devtools.on('Fetch.requestPaused', ({ requestId, request }) => {
    if (request.url.includes('session.me')) void proceed(requestId)
    else previous = proceedInTurn(requestId, previous)
  })
  await devtools.send('Fetch.enable', { patterns: [{ urlPattern: '*/console/*' }] })
  return {
    hold(): () => void {
      held = Promise.withResolvers()
      return held.resolve
    },
    end: () => devtools.detach(),
  }
}
