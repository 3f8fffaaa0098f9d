import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { callsProcedure, holdResponses } from './browser/console-responses.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'
import { verify } from './browser/verify.ts'

describe(browserTitle('a page of the dashboard whose requests take long or fail'), () => {
  const fixture = dashboardFixture()
  let user: DashboardUser
  let page: Page
  before(async () => {
    await verify(fixture, 'open', 'submit', { outcome: 'approve-adult' })
    user = await fixture.user('owner')
    ;({ page } = user)
  })
  afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }))

  it('says that it is loading, and no age, until the list with another filter is there', async () => {
    await user.open('/verifications')
    await page.getByText(/^Updated /).waitFor()
    const release = await holdResponses(page, 'verifications.list')
    await page.getByLabel('Outcome').selectOption('Under 18')
    await page.getByText('Loading …', { exact: true }).waitFor()
    expect(await page.getByText(/^Updated /).count()).to.equal(0)
    release()
    await page.getByText(/^Updated (now|\d+ sec\. ago)$/).waitFor()
  })

  it('says that another time range is not loaded yet, and no time, while its request fails', async () => {
    await user.open('/overview')
    await page.route(callsProcedure('usage.daily'), route => route.abort())
    await page.getByRole('combobox', { name: 'Time range (UTC)' }).selectOption('Last 90 days')
    const results = page.getByRole('region', { name: 'Results' })
    await results
      .getByRole('status')
      .getByText(/^Not loaded yet\./)
      .waitFor()
    expect(await results.textContent()).not.to.contain('Not updated since')
  })

  it('shows each answer as soon as it is there, whatever another one takes', async () => {
    const release = await holdResponses(page, 'usage.unusual')
    await user.openHeading('/overview')
    await page.getByRole('list', { name: 'Results' }).waitFor()
    expect(await page.getByText('What is unusual?').count()).to.equal(0)
    release()
    await page.getByText('What is unusual?').waitFor()
  })

  it('says of a link whose ID is none that it is no verification ID', async () => {
    await user.open('/verifications/abc')
    const panel = page.getByRole('dialog', { name: 'Verification' })
    await panel.getByText('This is not a verification ID').waitFor()
    await panel.getByText('Copy the whole link or ID again.').waitFor()
    expect(await panel.textContent()).not.to.contain('UUID')
  })

  it('says that the input is still there when a form fails, and not when a page cannot be read', async () => {
    const kept = page.getByText('Your input is still here.')
    await page.route(callsProcedure('billing.get'), route => route.abort())
    await user.openHeading('/billing')
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor()
    expect(await kept.count()).to.equal(0)
    await page.route(callsProcedure('tenant.update'), route => route.abort())
    await user.open('/settings')
    await page.getByRole('textbox', { name: 'Name' }).fill('Another name')
    await page.getByRole('button', { name: 'Save name' }).click()
    await page.getByRole('alert').getByText('Your input is still here.').waitFor()
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).to.equal('Another name')
  })
})
