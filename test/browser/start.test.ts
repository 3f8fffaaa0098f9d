import { expect } from 'chai'
import { eventually } from '../harness/eventually.ts'
import { holdResponses } from './browser/console-responses.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'

describe(browserTitle('the start of the dashboard'), () => {
  const fixture = dashboardFixture()

  it('shows its first data after three requests in a row: authorization, token, data', async () => {
    const path = `/t/${fixture.tenantId}/overview`
    const user = await fixture.user('owner', { path })
    const { page } = user
    await page.waitForLoadState('networkidle')
    const paths: string[] = []
    page.on('request', request => paths.push(new URL(request.url()).pathname))
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/console/**', async route => {
      await released
      await route.continue()
    })
    // It is asked for before any data has come.
    const data = page.waitForRequest(request => request.url().includes('/console/usage.unusual'))
    await page.reload()
    await data
    release()
    await user.loaded()
    page.removeAllListeners('request')
    // Before the page is loaded again, it can refresh its data.
    const asked = paths
      .slice(paths.indexOf(`/dashboard${path}`))
      .filter(path => !/\/assets\/|icon/.test(path))
    const firstData = asked.findIndex(path => path.includes('/console/'))
    expect(asked.slice(0, firstData)).to.deep.equal([
      `/dashboard${path}`,
      // The second is the redirect of the first, in a frame.
      '/auth',
      '/dashboard/sign-in/callback',
      '/token',
    ])
    await page.unrouteAll({ behavior: 'wait' })
    user.close()
  })

  it("begins with the tenants of the last time, and doesn't wait for those of now", async () => {
    const user = await fixture.user('owner', { path: `/t/${fixture.tenantId}/overview` })
    const { page } = user
    const release = await holdResponses(page, 'session.me')
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await user.loaded()
    const answered = page.waitForResponse(response => response.url().includes('session.me'))
    release()
    await answered
    await page.unrouteAll({ behavior: 'wait' })
    user.close()
  })

  it('draws its shell before the first response, and says when that takes long', async () => {
    const user = await fixture.user('developer')
    const page = await user.page.context().newPage()
    await page.clock.install()
    await page.addInitScript("localStorage.removeItem('age-verification.session')")
    const release = await holdResponses(page, 'session.me')
    const request = page.waitForRequest(/session\.me/)
    await page.goto(`${fixture.service.baseUrl}/dashboard/t/${fixture.tenantId}/verifications`)
    const link = page.getByRole('link', { name: 'Verifications' })
    await link.waitFor()
    expect(await link.getAttribute('aria-current')).to.equal('page')
    // The sign-in is over, which has a deadline of its own.
    await request
    await page.clock.fastForward(11_000)
    await page
      .getByRole('status')
      .getByText(/takes longer than it should/)
      .waitFor()
    release()
    await page.getByRole('heading', { level: 1, name: 'Verifications' }).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await page.close()
    user.close()
  })

  it('says that it could not be loaded when the file of the application is missing', async () => {
    const user = await fixture.user('viewer')
    const { page } = user
    await page.route('**/assets/app-*.js', route => route.fulfill({ status: 404 }))
    await page.goto(`${fixture.service.baseUrl}/dashboard/overview`)
    await page
      .getByRole('alert')
      .getByText('The dashboard could not be loaded: a file is missing, or the connection failed.')
      .waitFor()
    await page.unrouteAll()
    await page.getByRole('link', { name: 'Load the page again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(user.consoleErrors.filter(text => text.startsWith('Uncaught'))).to.deep.equal([])
    user.close()
  })

  it('says and logs why the application cannot begin', async () => {
    const user = await fixture.user('viewer')
    const { page } = user
    const body = "throw new RangeError('Incorrect locale')"
    await page.route('**/assets/app-*.js', route => route.fulfill({ contentType: 'text/javascript', body }))
    await page.goto(`${fixture.service.baseUrl}/dashboard/overview`)
    await page.getByRole('alert').getByText('The dashboard could not be loaded: Incorrect locale.').waitFor()
    await eventually(() => user.consoleErrors.join().includes('RangeError: Incorrect locale'))
    await page.unrouteAll()
    user.close()
  })
})
