import { expect } from 'chai'
import type { Page, Route } from 'playwright-core'
import { scrollsHorizontally } from './browser/accessibility.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'

describe(browserTitle('a sign-in that fails'), function () {
  this.timeout(60_000)
  const fixture = dashboardFixture()

  it('is tried again on the page that was opened, with its query string and fragment', async () => {
    const page = await newPage()
    await page.route('**/auth?*', denyAccess)
    const path = '/dashboard/invitations?from=mail#secret'
    await page.goto(`${fixture.service.baseUrl}${path}`)
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
    await page.unroute('**/auth?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: /Olivia Owner/ }).click()
    await page.waitForURL(`${fixture.service.baseUrl}${path}`)
    await page.context().close()
  })

  it('says that the sign-in provider is unreachable, and with which status it responded', async () => {
    const page = await newPage()
    await page.route('**/token', route => route.fulfill({ status: 503 }))
    await signIn(page)
    await page.getByRole('heading', { name: 'The sign-in provider is unreachable' }).waitFor()
    await page.getByText('HTTP status 503').waitFor()
    await page.context().close()
  })

  it('says on a phone that its clock is wrong if it is days fast', async () => {
    const page = await newPage()
    await page.clock.setFixedTime(Date.now() + 3 * 24 * 60 * 60 * 1_000)
    await signIn(page)
    await page.getByRole('heading', { name: "This device's clock is wrong" }).waitFor()
    await page.setViewportSize({ width: 375, height: 700 })
    expect(await scrollsHorizontally(page)).to.equal(false)
    await page.context().close()
  })

  it('shows what else the sign-in provider responds, for the operator', async () => {
    const page = await newPage()
    const json = { error: 'invalid_client', error_description: 'client is unknown' }
    await page.route('**/token', route => route.fulfill({ status: 400, json }))
    await signIn(page)
    await page.getByRole('heading', { name: 'The sign-in failed' }).waitFor()
    await page.getByText('client is unknown (invalid_client)').waitFor()
    await page.context().close()
  })

  it('says that the browser blocks storage, in the theme of the system', async () => {
    const page = await newPage('dark')
    await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, { get() { throw new DOMException('', 'SecurityError') } })
    }`)
    await page.goto(`${fixture.service.baseUrl}/dashboard/`)
    await page
      .getByRole('alert')
      .getByText(/needs cookies and site data/)
      .waitFor()
    expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).to.equal('dark')
    await page.context().close()
  })

  /** Of a browser that was not signed in before. */
  async function newPage(colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
    return (await fixture.browser.newContext({ colorScheme })).newPage()
  }

  async function signIn(page: Page): Promise<void> {
    await page.goto(`${fixture.service.baseUrl}/dashboard/`)
    await page.getByRole('button', { name: /Olivia Owner/ }).click()
  }
})

/** As after a click on "Cancel" at the sign-in provider. */
function denyAccess(route: Route): Promise<void> {
  const { origin, searchParams } = new URL(route.request().url())
  const response = { error: 'access_denied', state: searchParams.get('state') ?? '', iss: origin }
  const location = `${searchParams.get('redirect_uri')}?${new URLSearchParams(response)}`
  return route.fulfill({ status: 303, headers: { location } })
}
