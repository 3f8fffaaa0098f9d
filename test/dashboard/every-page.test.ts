import { expect } from 'chai'
import { demoTenant } from '#test/faults/service/demo-tenant.ts'
import { operate } from '#test/faults/service/operate.ts'
import { dashboardFixture, inBrowser } from './browser/dashboard-stage.ts'

const pages: Record<string, string> = {
  '/first-steps': 'First steps',
  '/overview': 'Overview',
  '/verifications': 'Verifications',
  '/api-keys': 'API keys',
  '/settings': 'Settings',
  '/settings/webhook': 'Webhook settings',
  '/settings/members': 'Members',
  '/billing': 'Billing',
  '/audit-log': 'Audit log',
  '/no-such-page': 'Page not found',
}

describe(inBrowser('every page of the dashboard'), function () {
  this.timeout(90_000)
  const fixture = dashboardFixture()
  let tenantId: string
  before(async () => {
    ;({ tenantId } = await demoTenant(fixture.service))
    await operate(fixture.service, 'demo', 'seed', '--tenant', tenantId, '--verifications', '120')
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`is accessible, titled and free of errors in ${colorScheme} colours`, async () => {
      const user = await fixture.user('Olivia Owner', { colorScheme })
      for (const [path, title] of Object.entries(pages)) {
        await user.open(path)
        expect(await user.page.title()).to.equal(`${title} · Age verification`)
        expect(await user.accessibilityFaults(), path).to.deep.equal([])
      }
      expect(user.complaints).to.deep.equal([])
      await user.leave()
    })
  }

  it('fits a width of 320 pixels', async () => {
    const user = await fixture.user('Olivia Owner', { width: 320 })
    for (const path of Object.keys(pages)) {
      await user.open(path)
      expect(await user.scrollsSideways(), path).to.equal(false)
    }
    await user.page.getByRole('button', { name: 'Open the navigation' }).click()
    await user.page.getByRole('dialog').getByRole('link', { name: 'Billing' }).click()
    await user.page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor()
    await user.leave()
  })

  it('has accessible dialogs', async () => {
    const user = await fixture.user('Olivia Owner')
    const { page } = user
    await user.open('/verifications?status=approved')
    await page.locator('table a').first().click()
    await page.getByRole('button', { name: 'Revoke token' }).click()
    await page.getByRole('dialog', { name: 'Revoke this token?' }).waitFor()
    expect(await user.accessibilityFaults(), 'revoke a token').to.deep.equal([])
    await user.open('/api-keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await user.accessibilityFaults(), 'create a key').to.deep.equal([])
    await user.leave()
  })

  it('shows a viewer what there is, and why nothing can be changed', async () => {
    const user = await fixture.user('Victor Viewer', { path: '/api-keys' })
    const { page } = user
    await page.getByText('Your role is viewer: this takes developer or owner.').waitFor()
    await page.getByRole('button', { name: 'Create key' }).focus()
    await page.getByRole('tooltip', { name: 'Your role is viewer: this takes developer or owner.' }).waitFor()
    await page.keyboard.press('Enter')
    expect(await page.getByRole('dialog').count()).to.equal(0)
    await user.open('/settings/members')
    await page.getByText('Your role is viewer: this takes owner.').first().waitFor()
    expect(await page.getByRole('combobox', { name: /^Role of/ }).count()).to.equal(0)
    await user.leave()
  })

  it('comes back where one was after a reload, filters and all', async () => {
    const user = await fixture.user('Olivia Owner')
    await user.open('/verifications?status=denied')
    await user.page.reload()
    await user.loaded()
    expect(user.page.url()).to.match(/\/dashboard\/verifications\?status=denied$/)
    const statuses = await user.page.locator('tbody td:nth-child(2)').allTextContents()
    expect(new Set(statuses)).to.deep.equal(new Set(['Denied']))
    await user.leave()
  })

  it('renews the sign-in in the background, on the same page', async () => {
    const user = await fixture.user('Olivia Owner')
    const { page } = user
    await page.clock.install()
    await user.open('/settings')
    await page.getByRole('textbox', { name: 'Name' }).fill('Half a name')
    const renewed = page.waitForResponse(answer => answer.url().endsWith('/token') && answer.ok())
    await page.clock.fastForward('59:30')
    await renewed
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).to.equal('Half a name')
    expect(user.complaints).to.deep.equal([])
    await user.leave()
  })

  it('says on every page when the subscription is inactive, and when the tenant is disabled', async () => {
    const user = await fixture.user('Olivia Owner')
    await operate(fixture.service, 'tenant', 'set-subscription', '--tenant', tenantId, '--state', 'inactive')
    for (const path of ['/overview', '/billing']) {
      await user.open(path)
      await user.page.getByText('The subscription is inactive').waitFor()
    }
    await operate(fixture.service, 'tenant', 'disable', '--tenant', tenantId)
    await user.open('/api-keys')
    await user.page.getByText('This tenant is disabled', { exact: true }).waitFor()
    expect(await user.accessibilityFaults()).to.deep.equal([])
    await user.leave()
  })
})
