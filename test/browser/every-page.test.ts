import { expect } from 'chai'
import { operate } from '#test/harness/processes/operate.ts'
import { browserTitle } from './browser/dashboard-fixture.ts'
import { expectEveryPageInOrder, fixtureOfEveryPage } from './browser/every-page.ts'

describe(browserTitle('every page of the dashboard'), function () {
  this.timeout(120_000)
  const fixture = fixtureOfEveryPage()

  for (const options of [
    { width: 375, theme: 'dark', otherWidths: [320] },
    { width: 1_280, theme: 'light', otherWidths: [1_024, 768] },
  ] as const) {
    it(`is accessible, moves nothing while it loads and does not scroll horizontally at a width of ${options.width} pixels, in both themes`, () =>
      expectEveryPageInOrder(fixture, options))
  }

  it('has a menu at a width of 320 pixels, which returns the focus', async () => {
    const user = await fixture.user('Olivia Owner', { width: 320 })
    const button = user.page.getByRole('button', { name: 'Open navigation' })
    const menu = user.page.getByRole('dialog')
    await button.click()
    await menu.waitFor()
    await user.page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    await button.and(user.page.locator(':focus')).click()
    await menu.getByRole('link', { name: 'Billing' }).click()
    await user.page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor()
    user.close()
  })

  it('has dialogs without accessibility violations', async () => {
    const user = await fixture.user('Olivia Owner', { path: '/verifications?status=approved' })
    const { page } = user
    await page.locator('table a').first().click()
    await page.getByRole('button', { name: 'Revoke token' }).click()
    await page.getByRole('dialog', { name: 'Revoke this token?' }).waitFor()
    expect(await user.accessibilityViolations(), 'revoke a token').to.deep.equal([])
    await user.goTo('/api-keys', 'API keys · Age verification')
    await page.getByRole('button', { name: 'Create API key' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await user.accessibilityViolations(), 'create a key').to.deep.equal([])
    user.close()
  })

  it('lets a viewer read and explains why controls are disabled', async () => {
    const user = await fixture.user('Victor Viewer', { path: '/api-keys' })
    const { page } = user
    const reason = "The viewer role can't create or revoke API keys."
    await page.getByText(reason).waitFor()
    await page.getByRole('button', { name: 'Create API key' }).focus()
    await page.getByRole('tooltip', { name: reason }).waitFor()
    await page.keyboard.press('Enter')
    expect(await page.getByRole('dialog').count()).to.equal(0)
    await user.goTo('/settings/members', 'Members · Age verification')
    await page.getByText("The viewer role can't manage members.").waitFor()
    const changes = page.getByRole('button', { name: /^Change role of/ })
    expect(await changes.evaluateAll(buttons => buttons.map(button => button.ariaDisabled)))
      .to.have.lengthOf(3)
      .and.include.members(['true'])
      .but.not.include(null)
    await user.goTo('/settings/webhook', 'Webhook settings · Age verification')
    await page.getByText("The viewer role can't change settings or view secrets.").waitFor()
    user.close()
  })

  it('shows a viewer the claims of a token, and the token only to members who may use it', async () => {
    for (const [name, copyButtons] of [
      ['Victor Viewer', 0],
      ['Olivia Owner', 1],
    ] as const) {
      const user = await fixture.user(name, { path: '/verifications?status=approved' })
      const { page } = user
      await page.locator('table a').first().click()
      await page.getByText('Whether the person is confirmed to be 18 or over.').waitFor()
      expect(await page.getByRole('button', { name: /copy token/i }).count(), name).to.equal(copyButtons)
      user.close()
    }
  })

  describe('of a tenant that is not served', () => {
    afterEach('restore the tenant', async () => {
      await operateTenant('set-subscription', '--state', 'active')
      await operateTenant('enable')
    })

    it('warns on every page when the subscription is inactive or the tenant is disabled', async () => {
      const user = await fixture.user('Olivia Owner')
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
      const user = await fixture.user('Olivia Owner', { path: '/settings' })
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
