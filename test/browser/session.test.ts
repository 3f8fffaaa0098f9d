import { expect } from 'chai'
import type { Route } from 'playwright-core'
import { addMember } from '#test/harness/processes/operate.ts'
import { eventually } from '../harness/eventually.ts'
import { rejectToken } from './browser/console-responses.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'

const expired = 'Your session has ended'

describe(browserTitle('the session of a dashboard user'), () => {
  const fixture = dashboardFixture()

  it('signs in on the page that was opened, with its query string', async () => {
    const user = await fixture.user('developer', {
      path: `/t/${fixture.tenantId}/verifications?status=denied`,
    })
    expect(new URL(user.page.url()).pathname).to.equal(`/dashboard/t/${fixture.tenantId}/verifications`)
    expect(new URL(user.page.url()).search).to.equal('?status=denied')
    user.close()
  })

  it('begins with a request for the scopes of the configuration, and for a resource only where the audience is a URI', async () => {
    const user = await fixture.user('owner')
    const { page } = user
    await page.evaluate("localStorage.removeItem('age-verification.signed-in')")
    await page.route('**/dashboard/', async route => {
      const html = await (await route.fetch()).text()
      const own = '"audience":"an-api","scope":"api://an-api/console"'
      await route.fulfill({ contentType: 'text/html', body: html.replace(/"audience":"[^"]+"/, own) })
    })
    // Chromium lets a page that was not loaded from loopback read nothing there.
    await page.route('**/openid-configuration', async route => {
      await route.fulfill({ response: await route.fetch() })
    })
    const asked = page.waitForRequest(request => request.url().includes('code_challenge='))
    await page.goto(`${fixture.service.baseUrl}/dashboard/`)
    const { searchParams } = new URL((await asked).url())
    expect(searchParams.get('scope')).to.match(
      /^openid profile email( offline_access)? api:\/\/an-api\/console$/,
    )
    expect([searchParams.get('audience'), searchParams.get('resource')]).to.deep.equal(['an-api', null])
    user.close()
  })

  it('ends above an open dialog, keeps what was entered, and goes on after a sign-in in another window', async () => {
    const user = await fixture.user('owner', { path: '/api-keys' })
    const { page } = user
    await page.getByRole('button', { name: /^Create (API )?key$/ }).click()
    const form = page.getByRole('dialog', { name: /key/ })
    await form.getByRole('textbox', { name: 'Name' }).fill('Kept name')
    await page.route('**/console/**', rejectToken)
    await form.getByRole('button', { name: /^Create (API )?key$/ }).click()
    const ended = page.getByRole('dialog', { name: expired })
    await ended.waitFor()
    await page.keyboard.press('Escape')
    expect(await ended.isVisible()).to.equal(true)
    expect(await form.getByRole('textbox', { name: 'Name' }).inputValue()).to.equal('Kept name')
    expect(await user.accessibilityViolations()).to.deep.equal([])
    for (const width of [375, 1_280]) {
      await user.setWidth(width)
      await ended.getByRole('button', { name: 'Sign in again' }).click({ trial: true })
    }
    await page.unroute('**/console/**')
    await page.evaluate('globalThis.originalOpen = window.open; window.open = () => null')
    await ended.getByRole('button', { name: 'Sign in again' }).click()
    await ended.getByRole('alert').getByText('Allow pop-up windows for this site').waitFor()
    await page.evaluate('window.open = globalThis.originalOpen')
    await page.route('**/token', route => route.fulfill({ status: 400, json: { error: 'invalid_grant' } }))
    await ended.getByRole('button', { name: 'Sign in again' }).click()
    await ended.getByRole('alert').getByText('invalid_grant').waitFor()
    await page.unroute('**/token')
    const opened = page.waitForEvent('popup')
    await ended.getByRole('button', { name: 'Sign in again' }).click()
    const popup = await opened
    if (!popup.isClosed()) await popup.waitForEvent('close')
    await ended.waitFor({ state: 'hidden' })
    await page.getByRole('region', { name: 'API key, as text' }).waitFor()
    expect(page.url()).to.contain('/api-keys')
  })

  it('ends without losing what was typed on a page of which nothing more can be loaded', async () => {
    const user = await fixture.user('owner')
    const { page } = user
    await page.route('**/assets/overlays-*.js', route => route.abort())
    await user.open('/settings')
    const field = page.getByRole('textbox', { name: 'Name', exact: true })
    const stored = await field.inputValue()
    await field.fill('Half a name')
    await page.route('**/console/**', rejectToken)
    await field.press('Enter')
    const ended = page.getByRole('dialog', { name: expired })
    const signIn = ended.getByRole('button', { name: 'Sign in again' })
    await signIn.and(page.locator(':focus')).waitFor()
    for (let press = 0; press < 3; press++) await page.keyboard.press('Escape')
    await signIn.click({ trial: true })
    expect(await field.inputValue()).to.equal('Half a name')
    await page.unrouteAll()
    await signIn.click()
    await ended.waitFor({ state: 'hidden' })
    await field.and(page.locator(':focus')).waitFor()
    await page.getByRole('status').getByText('Name saved.').waitFor()
    await field.fill(stored)
    await page.getByRole('button', { name: 'Save name' }).click()
    await page.getByRole('button', { name: 'Save name' }).waitFor({ state: 'hidden' })
    user.close()
  })

  for (const [how, strip] of [
    ['by refresh token', false],
    ['in a frame where the issuer gives no refresh token', true],
  ] as const) {
    it(`is renewed ${how}, while the page stays as it is`, async () => {
      const { page, open } = await clockedPage()
      if (strip) await page.route('**/token', withoutRefreshToken)
      await open('/settings')
      await page.getByRole('textbox', { name: /^(Tenant name|Name)$/ }).fill('Half a name')
      const grant = strip ? 'authorization_code' : 'refresh_token'
      const renewed = page.waitForResponse(
        response =>
          response.url().endsWith('/token') && (response.request().postData() ?? '').includes(grant),
      )
      await page.clock.fastForward('59:30')
      expect((await renewed).ok()).to.equal(true)
      expect(await page.getByRole('textbox', { name: /^(Tenant name|Name)$/ }).inputValue()).to.equal(
        'Half a name',
      )
      await page.close()
    })
  }

  it('outlives an issuer that is briefly away', async () => {
    const { page, open } = await clockedPage()
    await open('/overview')
    let attempts = 0
    await page.route('**/token', route => (++attempts <= 2 ? route.abort() : route.continue()))
    await page.clock.fastForward('01:01:00')
    await eventually(async () => {
      await page.clock.fastForward(4_000)
      return attempts > 2
    })
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
    expect(await page.getByText(expired).count()).to.equal(0)
    await page.close()
  })

  it('ends in every tab when the user signs out in one, after which the next visit requires a sign-in', async () => {
    const user = await fixture.user('viewer')
    const other = await user.page.context().newPage()
    await other.goto(`${fixture.service.baseUrl}/dashboard/billing`)
    await other.getByRole('heading', { level: 1, name: 'Billing' }).waitFor()
    const readStored = () => other.evaluate("localStorage.getItem('age-verification.session')")
    expect(await readStored()).to.include(fixture.tenantId)
    await user.page.getByRole('button', { name: /Signed in as/ }).click()
    await user.page.getByRole('button', { name: 'Sign out' }).click()
    await user.page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    await other.getByRole('heading', { name: 'You are signed out' }).waitFor()
    expect(await readStored()).to.equal(null)
    await other.getByRole('link', { name: 'Sign in' }).click()
    await other.getByRole('textbox', { name: 'Sign in as another user' }).waitFor()
    await other.close()
  })

  it('is loaded again when the service denies something, so that the page shows the role of now', async () => {
    const user = await fixture.user('developer', { path: '/api-keys' })
    const { page } = user
    await page.getByRole('button', { name: /^Create (API )?key$/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Too late')
    await addMember(fixture.service, fixture.tenantId, user.subject, 'viewer')
    await dialog.getByRole('button', { name: /^Create (API )?key$/ }).click()
    await page.getByText('Permission denied').waitFor()
    await page.locator('main button[aria-disabled=true]').first().waitFor()
    await addMember(fixture.service, fixture.tenantId, user.subject, 'developer')
  })

  it('never says whether a tenant exists that the user is not a member of', async () => {
    const user = await fixture.user('owner')
    for (const id of ['01a00000-0000-7000-8000-000000000000', 'no-id']) {
      await user.open(`/t/${id}/verifications`)
      await user.page.getByText("You don't have access to this tenant, or it doesn't exist").waitFor()
      expect(await user.accessibilityViolations()).to.deep.equal([])
    }
    await user.page.getByRole('link', { name: 'Go to your tenant' }).click()
    await user.page.getByRole('heading', { level: 1, name: 'Get started' }).waitFor()
    expect(new URL(user.page.url()).pathname).to.equal(`/dashboard/t/${fixture.tenantId}/first-steps`)
    user.close()
  })

  /** A page whose clock the test sets, of a user who is signed in. */
  async function clockedPage() {
    const user = await fixture.user('owner')
    const page = await user.page.context().newPage()
    user.close()
    await page.clock.install()
    const open = async (path: string) => {
      await page.goto(`${fixture.service.baseUrl}/dashboard${path}`)
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    }
    return { page, open }
  }
})

async function withoutRefreshToken(route: Route): Promise<void> {
  const response = await route.fetch()
  const { refresh_token, ...tokens } = await response.json()
  return route.fulfill({ response, json: tokens })
}
