import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { eventually } from '../harness/eventually.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'

describe(browserTitle('the links of the dashboard'), () => {
  const fixture = dashboardFixture()
  let user: DashboardUser
  let page: Page
  before(async () => {
    user = await fixture.user('owner', { path: '/settings' })
    page = user.page
  })

  it('of rows are followed by a click anywhere in the row, and Back closes what they opened', async () => {
    await user.open('/api-keys')
    await page.getByRole('row').nth(1).getByRole('cell').nth(1).click()
    const panel = page.getByRole('dialog', { name: 'API key' })
    await panel.getByText('Begins with').waitFor()
    await page.goBack()
    await panel.waitFor({ state: 'hidden' })
    await page.locator('[id^=key-]:focus').waitFor()
    const opened = page.context().waitForEvent('page')
    await page.getByRole('row').nth(1).getByRole('cell').nth(1).click({ button: 'middle' })
    await (await opened).waitForURL(/\?key=/)
    await (await opened).close()
  })
})

describe(browserTitle('the dialogs of the dashboard'), () => {
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
})
