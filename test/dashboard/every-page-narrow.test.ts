import { browserTitle } from './browser/dashboard-fixture.ts'
import { expectEveryPageInOrder, fixtureOfEveryPage } from './browser/every-page.ts'

describe(browserTitle('every page of the dashboard on narrow screens'), function () {
  this.timeout(90_000)
  const fixture = fixtureOfEveryPage()

  it('is accessible, moves nothing while it loads and does not scroll horizontally at widths of 375 and 320 pixels, in both themes', () =>
    expectEveryPageInOrder(fixture, { width: 375, theme: 'dark', whileLoading: true, narrower: [320] }))

  it('is accessible, moves nothing while it loads and does not scroll horizontally at a width of 768 pixels, in both themes', () =>
    expectEveryPageInOrder(fixture, { width: 768, theme: 'light', whileLoading: false }))

  it('has a menu at a width of 320 pixels', async () => {
    const user = await fixture.user('Olivia Owner', { width: 320 })
    await user.page.getByRole('button', { name: 'Open navigation' }).click()
    await user.page.getByRole('dialog').getByRole('link', { name: 'Billing' }).click()
    await user.page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor()
    user.close()
  })
})
