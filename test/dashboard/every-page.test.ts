import { once } from 'node:events'
import { expect } from 'chai'
import { demoTenant } from '#test/faults/service/demo-tenant.ts'
import { operate } from '#test/faults/service/operate.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'

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
  '/tools/signature': 'Signature checker',
  '/billing': 'Billing',
  '/audit-log': 'Audit log',
  '/no-such-page': 'Page not found',
}

/** What Google calls good is 0.1. */
const layoutShiftMax = 0.02
/** Long enough for the placeholders to be drawn. */
const slowResponseMs = 150

describe(browserTitle('every page of the dashboard'), function () {
  this.timeout(90_000)
  const fixture = dashboardFixture()
  let tenantId: string
  before(async () => {
    ;({ tenantId } = await demoTenant(fixture.service))
    await operate(fixture.service, 'demo', 'seed', '--tenant', tenantId, '--verifications', '120')
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has a title, no accessibility violations, no console errors and no horizontal scrolling at a width of 320 pixels in the ${colorScheme} theme`, async () => {
      const user = await fixture.user('Olivia Owner', { colorScheme, width: 320 })
      for (const [path, name] of Object.entries(pages)) {
        const title = `${name} · Age verification`
        await user.setWidth(320)
        // One load of each page is enough. Later, only the colours differ.
        if (colorScheme === 'light') await user.open(path)
        else await user.goTo(path, title)
        expect(await user.page.title()).to.equal(title)
        expect(await user.scrollsHorizontally(), path).to.equal(false)
        await user.setWidth(1_280)
        const rules = colorScheme === 'light' ? undefined : ['color-contrast']
        expect(await user.accessibilityViolations(rules), path).to.deep.equal([])
      }
      expect(user.consoleErrors).to.deep.equal([])
      user.close()
    })
  }

  it('has no accessibility violations while it loads, at a width of 375 pixels', async () => {
    const user = await fixture.user('Olivia Owner', { width: 375 })
    const { page } = user
    const loading = new AbortController()
    const isData = ({ pathname }: URL) => pathname.startsWith('/console/') && !pathname.includes('session.me')
    await page.route(isData, async route => {
      await once(loading.signal, 'abort')
      await route.continue()
    })
    for (const path of Object.keys(pages)) {
      await user.openHeading(path)
      expect(await user.accessibilityViolations(), path).to.deep.equal([])
    }
    loading.abort()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    user.close()
  })

  for (const width of [375, 768, 1_024, 1_280]) {
    it(`moves nothing while it loads at a width of ${width} pixels, however slow the service is`, async () => {
      const user = await fixture.user('Olivia Owner', { width })
      const { page } = user
      await page.route('**/console/**', async route => {
        await new Promise(resolve => setTimeout(resolve, slowResponseMs))
        await route.continue()
      })
      const shifted: string[] = []
      for (const path of Object.keys(pages)) {
        await user.open(path)
        const shift = await user.layoutShift()
        if (shift >= layoutShiftMax) shifted.push(`${path}: ${shift.toFixed(3)}`)
      }
      expect(shifted).to.deep.equal([])
      await page.unrouteAll({ behavior: 'wait' })
      user.close()
    })
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

  it('marks the operator in the audit log, so that no member can pass for it', async () => {
    const user = await fixture.user('Olivia Owner', { path: '/audit-log' })
    const row = user.page.locator('tbody tr').filter({ hasText: 'Created the tenant' })
    const operator = row.getByText('Operator', { exact: true })
    expect((await operator.boundingBox())!.height, 'in one line').to.be.below(30)
    user.close()
  })

  it('keeps the page and its filters after a reload', async () => {
    const user = await fixture.user('Olivia Owner', { path: '/verifications?status=denied' })
    await user.page.reload()
    await user.loaded()
    expect(user.page.url()).to.match(/\/dashboard\/t\/[\w-]+\/verifications\?status=denied$/)
    const statuses = await user.page.locator('tbody td:nth-child(2) .mantine-Badge-root').allTextContents()
    expect(new Set(statuses)).to.deep.equal(new Set(['Denied']))
    user.close()
  })

  it('renews the access token in the background without reloading the page', async () => {
    const user = await fixture.user('Olivia Owner')
    const { page } = user
    await page.clock.install()
    await user.open('/settings')
    await page.getByRole('textbox', { name: 'Name' }).fill('Half a name')
    const renewed = page.waitForResponse(response => response.url().endsWith('/token') && response.ok())
    await page.clock.fastForward('59:30')
    await renewed
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).to.equal('Half a name')
    expect(user.consoleErrors).to.deep.equal([])
    // Not closed: the clock of this page stays as it was set.
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
  })

  function operateTenant(command: string, ...options: string[]) {
    return operate(fixture.service, 'tenant', command, '--tenant', tenantId, ...options)
  }
})
