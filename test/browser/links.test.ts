import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { eventually } from '../harness/eventually.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'

describe(browserTitle('the links of the dashboard'), function () {
  this.timeout(60_000)
  const fixture = dashboardFixture()
  let user: DashboardUser
  let page: Page
  before(async () => {
    user = await fixture.user('owner', { path: '/settings' })
    page = user.page
  })

  const link = (name: string) =>
    page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name, exact: true })
  const current = () =>
    page
      .getByRole('navigation', { name: 'Dashboard' })
      .locator('[aria-current=page]')
      .evaluateAll(links => links.map(({ textContent }) => textContent))

  it('are marked at once, before the code of their page has come', async () => {
    const held = Promise.withResolvers<void>()
    await page.route('**/assets/billing-page-*.js', async route => {
      await held.promise
      await route.continue()
    })
    await user.open('/settings')
    await link('Billing').click()
    expect(await current()).to.deep.equal(['Billing'])
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    held.resolve()
    await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor()
    expect(await current()).to.deep.equal(['Billing'])
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('are marked no more when the user stays, because something is not saved', async () => {
    await user.open('/settings')
    await page.getByRole('textbox', { name: 'Name' }).fill('Another name')
    await link('Billing').click()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await current()).to.deep.equal(['Settings'])
    await link('Billing').click()
    await dialog.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor()
    expect(await current()).to.deep.equal(['Billing'])
  })

  it('open a tab of their own with Ctrl, and leave this one as it is', async () => {
    await user.open('/settings')
    const opened = page.context().waitForEvent('page')
    await link('Billing').click({ modifiers: ['Control'] })
    const tab = await opened
    await tab.waitForURL('**/billing')
    await tab.close()
    expect(await current()).to.deep.equal(['Settings'])
    expect(page.url()).to.match(/\/settings$/)
  })

  it('add no step to Back when they lead to what is shown, nor does what is typed into a search', async () => {
    await user.open('/billing')
    await link('Settings').click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await link('Settings').click()
    await page.getByRole('link', { name: 'Members', exact: true }).click()
    await page.getByRole('searchbox', { name: 'Search members' }).pressSequentially('abc')
    await page.getByText('No results').waitFor()
    await page.goBack()
    await page.getByRole('textbox', { name: 'Name' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor()
  })

  it('of rows are followed by a click anywhere in the row, and Back closes what they opened', async () => {
    await user.open('/api-keys')
    await page.getByRole('row').nth(1).getByRole('cell').nth(1).click()
    const panel = page.getByRole('dialog', { name: 'API key' })
    await panel.getByText('Begins with').waitFor()
    await page.goBack()
    await panel.waitFor({ state: 'hidden' })
    expect(await page.evaluate<string>('document.activeElement.id')).to.match(/^key-/)
  })

  it('of rows open a panel once, however fast they are clicked, so that one Escape closes it', async () => {
    await user.open('/api-keys')
    const row = page.getByRole('row').nth(1).getByRole('link')
    const panel = page.getByRole('dialog', { name: 'API key' })
    await row.dblclick()
    await panel.getByText('Begins with').waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
    await page.waitForURL(/\/api-keys$/)
  })

  it('and buttons open what the second click of a double click does not close', async () => {
    await user.open('/api-keys')
    for (const [control, name] of [
      [page.getByRole('row').nth(1).getByRole('link'), 'API key'],
      [page.getByRole('button', { name: 'Create API key' }), 'Create API key'],
      [page.getByRole('button', { name: /^Search/ }), 'Search'],
    ] as const) {
      const dialog = page.getByRole('dialog', { name, exact: true })
      await control.click({ clickCount: 1 })
      await dialog.waitFor()
      // Where the mouse is, which is beside the dialog now.
      await page.mouse.down({ clickCount: 2 })
      await page.mouse.up({ clickCount: 2 })
      await dialog.getByRole('button', { name: 'Close' }).hover()
      await page.mouse.click(5, 400)
      await dialog.waitFor({ state: 'hidden' })
    }
  })

  it('by an address begin at the top of their page, however far the one before was scrolled', async () => {
    await page.setViewportSize({ width: 1_280, height: 400 })
    await user.open('/settings')
    await page.evaluate('window.scrollTo(0, 300)')
    await user.open('/billing')
    expect(await page.evaluate('window.scrollY')).to.equal(0)
    await page.setViewportSize({ width: 1_280, height: 860 })
  })
})

describe(browserTitle('the dialogs of the dashboard'), function () {
  this.timeout(60_000)
  const fixture = dashboardFixture()
  let user: DashboardUser
  let page: Page
  before(async () => {
    user = await fixture.user('owner', { path: '/api-keys' })
    page = user.page
  })

  const focused = () =>
    page.evaluate<string | null>('document.activeElement.ariaLabel ?? document.activeElement.textContent')

  for (const action of ['Revoke …', 'Replace …']) {
    it(`give the focus back to the button that opened them: ${action}`, async () => {
      await user.open('/api-keys')
      await page.locator('tbody a').first().click()
      for (const close of ['Cancel', 'Escape']) {
        await page.getByRole('button', { name: action }).click()
        const dialog = page.locator('.mantine-Modal-content')
        await dialog.getByRole('button', { name: 'Cancel' }).waitFor()
        if (close === 'Cancel') await dialog.getByRole('button', { name: 'Cancel' }).click()
        else await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'hidden' })
        expect(await eventually(focused, { until: shown => shown === action })).to.equal(action)
      }
    })
  }

  it('give it back to the button or link that opened them', async () => {
    await user.open('/settings/members')
    await page.getByRole('button', { name: 'Invite member' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await eventually(focused, { until: shown => shown === 'Invite member' })
    await user.open('/settings')
    await page.getByRole('textbox', { name: 'Name' }).fill('Another name')
    const link = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Billing' })
    await link.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await eventually(focused, { until: shown => shown === 'Billing' })
    await link.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
    await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor()
  })

  it('lie below the search, and the page behind them stays where it is', async () => {
    await user.open('/api-keys')
    await page.getByRole('button', { name: 'Create API key' }).click()
    await page.getByRole('dialog', { name: 'Create API key' }).waitFor()
    await page.keyboard.press('Control+k')
    const search = page
      .getByRole('combobox', { name: 'Search, or paste' })
      .or(page.getByPlaceholder(/^Search, or paste/))
    // Fails if anything lies over it.
    await search.first().click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1_280, height: 400 })
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('End')
    expect(await page.evaluate('window.scrollY')).to.equal(0)
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1_280, height: 860 })
  })
})
