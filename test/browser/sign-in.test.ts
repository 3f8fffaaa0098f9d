import { expect } from 'chai'
import type { Page, Route } from 'playwright-core'
import { scrollsHorizontally } from './browser/accessibility.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'

const json = (body: string, status: number) => ({ status, contentType: 'application/json', body })
const foreign: { name: string; response: NonNullable<Parameters<Route['fulfill']>[0]>; says: string[] }[] = [
  ...[json('{"message":"no"}', 403), json('{}', 200), json('', 503), { status: 204 }, { status: 451 }].map(
    response => ({
      name: JSON.stringify(response),
      response,
      says: [`something in front of it, answered HTTP ${response.status}`],
    }),
  ),
  {
    name: 'a page of HTML',
    response: { status: 200, contentType: 'text/html', body: '<h1>Sign in</h1>' },
    says: ['something in front of it, answered HTTP 200', 'you may have to sign in there'],
  },
  {
    name: 'a limit',
    response: {
      ...json('{"error":"slow_down"}', 429),
      headers: { 'retry-after': '30', 'access-control-expose-headers': 'retry-after' },
    },
    says: ['answered HTTP 429', 'Wait 30\u00a0s, then try again.'],
  },
]

describe(browserTitle('a sign-in that fails'), () => {
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
    await page.getByText('answered HTTP 503').waitFor()
    await page.context().close()
  })

  for (const { name, response, says } of foreign) {
    it(`says what answered in place of the sign-in provider: ${name}`, async () => {
      const page = await newPage()
      const headers = { 'access-control-allow-origin': '*', ...response.headers }
      await page.route('**/token', route => route.fulfill({ ...response, headers }))
      await signIn(page)
      for (const text of says) await page.getByText(text).waitFor()
      await page.getByRole('button', { name: 'Try again' }).waitFor()
      await page.context().close()
    })
  }

  it('says so in the dialog of the ended session if the clock has jumped while the page was open', async () => {
    const page = await newPage()
    await page.clock.install()
    await signIn(page)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.clock.fastForward(26 * 60 * 60 * 1_000)
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByText("This device's clock is wrong").waitFor()
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

  for (const { name, script } of [
    { name: 'null', script: "Object.defineProperty(window, 'localStorage', { get: () => null })" },
    {
      name: 'denied for the session only',
      script:
        "Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('', 'SecurityError') } })",
    },
    { name: 'there without channels', script: 'delete window.BroadcastChannel' },
  ]) {
    it(`says what the browser blocks where its storage is ${name}`, async () => {
      const page = await newPage()
      await page.addInitScript(script)
      await page.goto(`${fixture.service.baseUrl}/dashboard/`)
      await page
        .getByRole('alert')
        .getByText(/needs cookies and site data/)
        .waitFor()
      await page.context().close()
    })
  }

  it('does not follow from a storage that returns what nobody stored', async () => {
    const page = await newPage()
    await page.addInitScript("Storage.prototype.getItem = () => '{bad'")
    await signIn(page)
    await page.getByRole('navigation').first().waitFor()
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
