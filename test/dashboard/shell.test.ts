import { expect } from 'chai'
import type { Locator } from 'playwright-core'
import { demoTenant } from '#test/faults/service/demo-tenant.ts'
import { operate } from '#test/faults/service/operate.ts'
import { eventually } from '#test/support/eventually.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'

const longName = 'Long '.repeat(40).trim()

describe(browserTitle('the shell of the dashboard'), function () {
  this.timeout(60_000)
  const fixture = dashboardFixture()
  let tenantId: string
  let user: DashboardUser
  before(async () => {
    ;({ tenantId } = await demoTenant(fixture.service))
    user = await fixture.user('Olivia Owner')
  })

  it('stores the name and email of the ID token for other members', async () => {
    const loaded = user.page.waitForResponse(response => response.url().includes('session.me'))
    await user.open('/overview')
    const [{ result }] = await (await loaded).json()
    expect(result.data.storedProfile).to.deep.equal({ name: 'Olivia Owner', email: 'owner@demo.example' })
  })

  it('goes to pages and pasted IDs from the command palette', async () => {
    const { page } = user
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search' })
    const field = palette.getByRole('textbox')
    await field.fill('audit')
    await palette.getByRole('option', { name: /Audit log/ }).waitFor()
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Audit log')
    await page.keyboard.press('Control+k')
    await palette.waitFor()
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'hidden' })
    await page.keyboard.press('/')
    await field.fill('01a00000-0000-7000-8000-000000000000')
    await palette.getByText('No verification or API key of this tenant has this ID.').waitFor()
    await field.fill('neither this nor that')
    await palette.getByText('Nothing has this name, ID or form.').waitFor()
    await field.fill('avk_abcdefgh')
    await palette.getByRole('option', { name: /Find this key/ }).click()
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
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Search this page').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: /^Search/ }).click()
    await page.getByRole('dialog', { name: 'Search' }).getByRole('textbox').fill(` ${id} `)
    await page.getByRole('option', { name: /Open this verification/ }).click()
    await page.getByRole('dialog', { name: 'Verification' }).waitFor()
    expect(new URL(page.url()).pathname).to.equal(`/dashboard/t/${tenantId}/verifications/${id}`)
  })

  it('switches between many tenants with long names, by search, at every width', async () => {
    const { page } = user
    const names = [longName, ...Array.from({ length: 11 }, (_, index) => `Tenant ${index}`)]
    for (const name of names) {
      const created = await operate(fixture.service, 'tenant', 'create', '--name', name)
      const subject = ['--subject', 'demo-owner', '--role', 'owner']
      await operate(fixture.service, 'member', 'add', '--tenant', created.tenantId, ...subject)
    }
    user.consoleErrors.length = 0
    await user.open('/overview')
    for (const width of [320, 1_280]) {
      await user.setWidth(width)
      await page.getByRole('button', { name: /Switch tenant$/ }).click()
      await page.getByRole('textbox', { name: 'Search tenants' }).fill('long')
      const item = page.getByRole('option', { name: /^Long/ })
      await eventually(() => page.getByRole('listbox').getByRole('option').count(), {
        until: count => count === 1,
      })
      await item.waitFor()
      const box = await item.boundingBox()
      expect(box!.x).to.be.greaterThanOrEqual(0)
      expect(box!.x + box!.width).to.be.lessThanOrEqual(width)
      expect(await user.scrollsHorizontally()).to.equal(false)
      expect(await user.accessibilityViolations()).to.deep.equal([])
      await page.keyboard.press('Escape')
      await page.locator('button:focus', { hasText: /./ }).waitFor()
    }
    await page.getByRole('button', { name: /Switch tenant$/ }).click()
    await page.getByRole('textbox', { name: 'Search tenants' }).fill('long')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: new RegExp(`^Tenant: ${longName}`) }).waitFor()
    await user.setWidth(320)
    expect(await user.scrollsHorizontally()).to.equal(false)
    await user.setWidth(1_280)
    expect(user.consoleErrors).to.deep.equal([])
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

  it('says that data could not be refreshed, since when, and when it is up to date again', async () => {
    const { page } = user
    await page.clock.install()
    await user.open(`/t/${tenantId}/verifications`)
    await page.getByText(/^Updated /).waitFor()
    const isList = ({ pathname }: URL) => pathname.includes('verifications.list')
    await page.route(isList, route => route.abort())
    await page.clock.fastForward(pollingMs)
    await page.getByText(/^Not updated since .+\. Retrying …$/).waitFor()
    await page.unroute(isList)
    await page.clock.fastForward(pollingMs)
    await page.getByText(/^Updated /).waitFor()
  })

  it('counts the seconds until the service accepts calls again, and then repeats reads by itself', async () => {
    const { page } = user
    const isList = ({ pathname }: URL) => pathname.includes('verifications.list')
    await page.route(isList, route => route.fulfill(rateLimited(route.request().url())))
    await user.openHeading(`/t/${tenantId}/verifications`)
    await page.getByText(/Retrying in (30|29) s …$/).waitFor()
    await page.unroute(isList)
    await page.clock.fastForward(30_000)
    await page.getByText(/^Updated /).waitFor()
  })

  it('has a spinner in the middle of a busy button, and says when a change can be tried again', async () => {
    const { page } = user
    await user.open(`/t/${tenantId}/api-keys`)
    const isCreation = ({ pathname }: URL) => pathname.endsWith('apiKeys.create')
    const { promise: seen, resolve } = Promise.withResolvers<void>()
    await page.route(isCreation, async route => {
      await seen
      await route.fulfill(rateLimited(route.request().url()))
    })
    await page.getByRole('button', { name: 'Create API key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Later')
    await dialog.getByRole('button', { name: 'Create API key' }).click()
    const spinner = dialog.locator('.mantine-Button-loader')
    const [inner, outer] = [await centreOf(spinner), await centreOf(spinner.locator('..'))]
    expect(Math.hypot(inner.x - outer.x, inner.y - outer.y), 'pixels off the centre').to.be.below(1)
    resolve()
    await dialog.getByText(/You can try again in (30|29) s\.$/).waitFor()
    await page.unroute(isCreation)
  })
})

/** Longer than any page waits until it refreshes its data. */
const pollingMs = 35_000

async function centreOf(locator: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await locator.boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}

/** The console's response to each call of a request while the caller is rate limited. */
function rateLimited(url: string) {
  const error = {
    message: 'The rate limit is exceeded.',
    code: -32029,
    data: {
      code: 'TOO_MANY_REQUESTS',
      httpStatus: 429,
      error: 'RATE_LIMIT_EXCEEDED',
      details: { retryAfterSeconds: 30 },
    },
  }
  const calls = new URL(url).pathname.split(',')
  return { status: 429, contentType: 'application/json', body: JSON.stringify(calls.map(() => ({ error }))) }
}
