import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'
import { partsAreMissing } from './browser/missing-parts.ts'

const typed = 'Half a name'
const missing = 'The dashboard may have been updated.'

describe(browserTitle('the parts of the dashboard that are loaded after its first page'), function () {
  this.timeout(60_000)
  const fixture = dashboardFixture()
  let user: DashboardUser
  let page: Page
  let field: Locator
  before(async () => {
    user = await fixture.user('Olivia Owner')
    ;({ page } = user)
    field = page.getByRole('textbox', { name: 'Name', exact: true })
  })
  afterEach('restore the network and the window', async () => {
    await page.context().setOffline(false)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await user.setWidth(1_280)
  })

  const parts = [
    {
      part: 'palette',
      width: 1_280,
      button: /^Search/,
      opened: () => page.getByRole('dialog', { name: 'Search' }),
    },
    { part: 'user-menu', width: 1_280, button: /^Signed in as/, opened: () => page.getByRole('menu') },
    { part: 'color-scheme-menu', width: 375, button: /^Theme/, opened: () => page.getByRole('menu') },
    {
      part: 'navigation-drawer',
      width: 375,
      button: 'Open navigation',
      opened: () => page.getByRole('dialog'),
    },
  ]
  for (const { part, width, button, opened } of parts) {
    it(`keep the page and what was typed when the ${part} could not be loaded, say so, and open later without a reload`, async () => {
      await user.setWidth(width)
      await partsAreMissing(page, part)
      await openForm()
      const opener = page.getByRole('button', { name: button })
      await opener.click()
      await page.getByRole('alert').getByText(missing).waitFor()
      expect(await field.inputValue()).to.equal(typed)
      expect(await opened().count()).to.equal(0)
      expect(await user.accessibilityViolations()).to.deep.equal([])
      await page.unrouteAll()
      await opener.click()
      await opened().waitFor()
      await page.getByText(missing).waitFor({ state: 'hidden' })
      await page.keyboard.press('Escape')
      await opened().waitFor({ state: 'hidden' })
      await opener.and(page.locator(':focus')).waitFor()
      expect(await field.inputValue()).to.equal(typed)
    })
  }

  it('say once that the browser is offline, even if no notification was loaded either', async () => {
    await partsAreMissing(page)
    await openForm()
    await page.context().setOffline(true)
    await field.blur()
    for (let press = 0; press < 3; press++) await page.keyboard.press('?')
    const alert = page.getByRole('alert').filter({ hasText: 'This was not loaded yet' })
    await alert.getByText('You are offline').waitFor()
    await page.keyboard.press('Control+k')
    expect(await alert.count()).to.equal(1)
    expect(await field.inputValue()).to.equal(typed)
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await page.unrouteAll()
    await page.context().setOffline(false)
    await alert.waitFor({ state: 'hidden' })
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await field.inputValue()).to.equal(typed)
  })

  it('say that a change was saved, even if no notification was loaded', async () => {
    await partsAreMissing(page)
    await openForm()
    const name = `Tenant ${Date.now()}`
    await field.fill(name)
    await page.getByRole('button', { name: 'Save name' }).click()
    await page.getByRole('status').getByText('Name saved.').waitFor()
    expect(await field.inputValue()).to.equal(name)
  })

  it('leave out a tooltip that could not be loaded, and show it later', async () => {
    await partsAreMissing(page)
    await openForm()
    const button = page.getByRole('button', { name: 'Copy tenant ID' })
    const failed = page.waitForEvent('requestfailed', request => request.url().includes('tooltip-bubble'))
    await button.hover()
    await failed
    await field.hover()
    expect(await field.inputValue()).to.equal(typed)
    expect(await page.getByRole('alert').count()).to.equal(0)
    await page.unrouteAll()
    await button.hover()
    await page.getByRole('tooltip', { name: 'Copy tenant ID' }).waitFor()
  })

  it('have their style, even if it could not be loaded at first', async () => {
    await page.route('**/more-*.css', route => route.abort())
    const failed = page.waitForEvent('requestfailed', request => request.url().endsWith('.css'))
    await user.open('/overview')
    await failed
    const button = page.getByRole('button', { name: /^Signed in as/ })
    await button.click()
    await page.getByRole('alert').getByText(missing).waitFor()
    await page.unrouteAll()
    await button.click()
    await page.getByRole('menu').waitFor()
    const position = await page
      .getByRole('menu')
      .evaluate(menu => menu.ownerDocument.defaultView.getComputedStyle(menu).position)
    expect(position).to.equal('absolute')
  })

  async function openForm() {
    await user.open('/settings')
    await field.fill(typed)
  }
})
