import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { operate } from '#test/harness/processes/operate.ts'
import { callsProcedure, rejectForRateLimit } from './browser/console-responses.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'
import { addTenants } from './browser/tenants.ts'

describe(browserTitle('the shell of the dashboard'), () => {
  const fixture = dashboardFixture()
  let tenantId: string
  let user: DashboardUser
  before(async () => {
    ;({ tenantId } = fixture)
    user = await fixture.user('owner')
  })

  afterEach('restore the network and the window', async () => {
    await user.page.context().setOffline(false)
    await user.page.unrouteAll({ behavior: 'ignoreErrors' })
    await user.setWidth(1_280)
  })

  it('goes to pages and pasted IDs from the command palette', async () => {
    const { page } = user
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search' })
    const field = palette.getByRole('textbox')
    await palette.getByRole('option').nth(3).waitFor()
    for (let count = 0; count < 3; count++) await page.keyboard.press('ArrowDown')
    await field.fill('audit')
    const best = palette.getByRole('option', { name: /Audit log/ })
    await best.waitFor()
    // At one moment: what is found later moves the others.
    const active = 'document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))'
    expect(await page.evaluate<string>(`${active}.textContent`)).to.match(/^Audit log/)
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Control+k')
    await palette.waitFor()
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'hidden' })
    await page.keyboard.press('/')
    await page.getByRole('searchbox', { name: 'Search' }).and(page.locator(':focus')).waitFor()
    await user.open(`/t/${tenantId}/billing`)
    await page.keyboard.press('/')
    await field.fill('01a00000-0000-7000-8000-000000000000')
    await palette.getByRole('option', { name: 'Open the verification with this ID' }).waitFor()
    await palette.getByRole('option', { name: 'Find this ID in the audit log' }).waitFor()
    expect(await palette.getByRole('option').count(), 'what can have this ID').to.equal(2)
    await field.fill('neither this nor that')
    await palette.getByText('Nothing has this name, ID or form.').waitFor()
    await field.fill('avk_abcdefgh')
    await palette.getByRole('option', { name: /^None of the API keys begins like this/ }).click()
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
    expect(page.url()).not.to.contain('avk_')
  })

  it('opens a pasted verification, and lists its shortcuts', async () => {
    const { page } = user
    await operate(fixture.service, 'demo', 'seed', '--tenant', tenantId, '--verifications', '1')
    await user.open('/verifications')
    const id = (await page.locator('table a').first().textContent()) ?? ''
    await user.open('/overview')
    await page.keyboard.press('?')
    await page
      .getByRole('dialog', { name: 'Keyboard shortcuts' })
      .getByText('Search the list of this page, if it has one, or everything')
      .waitFor()
    await page.getByRole('switch', { name: 'Shortcuts of a single key' }).press('Space')
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await user.open('/verifications')
    const focused = () => page.evaluate<string>('document.activeElement.textContent')
    const before = await focused()
    await page.keyboard.type('just look at that, k? /')
    expect([await focused(), await page.getByRole('dialog').count()]).to.deep.equal([before, 0])
    await page.evaluate(`localStorage.removeItem('age-verification.single-keys')`)
    await page.keyboard.type('just')
    expect(await focused()).to.equal(id)
    await page.getByRole('button', { name: /^Search/ }).click()
    await page.getByRole('dialog', { name: 'Search' }).getByRole('textbox').fill(` ${id} `)
    await page.getByRole('option', { name: /Open the verification with this ID/ }).click()
    await page.getByRole('dialog', { name: 'Verification' }).waitFor()
    expect(new URL(page.url()).pathname).to.equal(`/dashboard/t/${tenantId}/verifications/${id}`)
  })

  it('switches between tenants on the same page, by keys', async () => {
    const { page } = user
    await addTenants(fixture.service, user.subject, ['Another tenant'])
    await user.open(`/t/${tenantId}/settings/webhook`)
    await page.getByRole('button', { name: /Switch tenant$/ }).click()
    const another = page.getByRole('option', { name: /^Another tenant/ })
    await another.and(page.locator('[aria-selected=true]')).waitFor()
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Tenant: Another tenant/ }).waitFor()
    expect(new URL(page.url()).pathname).to.match(/\/settings\/webhook$/)
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  })

  it('says that it is offline, rejects changes at once instead of waiting, and recovers', async () => {
    const { page } = user
    const context = page.context()
    await user.open(`/t/${tenantId}/api-keys`)
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    await page.getByText('You are offline. What you see may be out of date.').waitFor()
    await page.getByRole('button', { name: /^Create (API )?key$/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Offline')
    await dialog.getByRole('button', { name: /^Create (API )?key$/ }).click()
    await dialog.getByRole('alert').getByText('You are offline').waitFor()
    await page.keyboard.press('Escape')
    await context.setOffline(false)
    await page.getByText('What you see may be out of date.').waitFor({ state: 'hidden' })
  })

  it('explains a page that could not be loaded offline, and opens it when it is online again', async () => {
    const { page } = user
    await user.open(`/t/${tenantId}/overview`)
    await page.route('**/verifications-page-*.js', route => route.abort())
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Verifications', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'You are offline' }).waitFor()
    await page.unroute('**/verifications-page-*.js')
    await page.context().setOffline(false)
    await page.getByRole('heading', { level: 1, name: 'Verifications' }).waitFor()
  })

  it('loads a page again, at its URL, when its code is gone because of an update', async () => {
    const { page } = user
    await user.open(`/t/${tenantId}/overview`)
    await page.waitForLoadState('networkidle')
    const files = await removeScripts(page)
    await page.evaluate(`sessionStorage.removeItem('age-verification.reloaded')`)
    await user.goTo('/verifications?status=denied', 'Verifications · Age verification')
    expect(new URL(page.url()).search).to.equal('?status=denied')
    expect(files.removed).not.to.deep.equal([])
    expect(files.loads, 'loads of the page').to.equal(1)
    await page.unroute('**/dashboard/**')
  })

  it('says that data could not be refreshed, since when, and when it is up to date again', async () => {
    const { page } = user
    await page.clock.install()
    await user.open(`/t/${tenantId}/verifications`)
    await page.getByText(/^Updated /).waitFor()
    const isList = callsProcedure('verifications.list')
    await page.route(isList, route => route.abort())
    await page.clock.fastForward(pollingMs)
    await page.getByText(/^Not updated since .+\. Retrying …$/).waitFor()
    await page.unroute(isList)
    await page.clock.fastForward(pollingMs)
    await page.getByText(/^Updated /).waitFor()
  })

  it('says that the service does not respond when a page cannot be loaded, and opens it when it does', async () => {
    const { page } = user
    await user.open(`/t/${tenantId}/overview`)
    await page.route('**/dashboard/**', route => route.abort())
    await page.getByRole('link', { name: 'Verifications', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'The service is unreachable' }).waitFor()
    await page.getByRole('link', { name: 'Billing' }).waitFor()
    await page.unroute('**/dashboard/**')
    await page.clock.fastForward(5_000)
    await page.getByRole('heading', { level: 1, name: 'Verifications' }).waitFor()
  })

  it('counts the seconds until the service accepts calls again, and then repeats reads by itself', async () => {
    const { page } = user
    const isList = callsProcedure('verifications.list')
    await page.route(isList, rejectForRateLimit)
    await user.openHeading(`/t/${tenantId}/verifications`)
    await page.getByText(/Retrying in (30|[12]?\d) s …$/).waitFor()
    await page.unroute(isList)
    await page.clock.fastForward(30_000)
    await page.getByText(/^Updated /).waitFor()
  })
})

/** The scripts that the page requests from now on do not exist, until it is loaded again, with those of another version. */
async function removeScripts(page: Page) {
  const files = { removed: [] as string[], loads: 0 }
  await page.route('**/dashboard/**', async route => {
    const request = route.request()
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) files.loads += 1
    if (files.loads === 0 && request.resourceType() === 'script') files.removed.push(request.url())
    const isMissing = files.loads === 0 && files.removed.includes(request.url())
    await (isMissing ? route.fulfill({ status: 404 }) : route.continue())
  })
  return files
}

/** Longer than any page waits until it refreshes its data. */
const pollingMs = 35_000
