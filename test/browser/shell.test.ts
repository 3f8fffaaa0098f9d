import { expect } from 'chai'
import type { Locator, Page, Request } from 'playwright-core'
import { operate } from '#test/harness/processes/operate.ts'
import { eventually } from '../harness/eventually.ts'
import { callsProcedure, rejectForRateLimit } from './browser/console-responses.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'
import { addTenants } from './browser/tenants.ts'

const longNames = Array.from({ length: 199 }, (_, index) =>
  `Tenant ${index} ${'with a long name '.repeat(12)}`.slice(0, 200).trim(),
)

const typed = 'Half a name'

describe(browserTitle('the shell of the dashboard'), function () {
  this.timeout(60_000)
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
    expect(await field.getAttribute('aria-activedescendant')).to.equal(await best.getAttribute('id'))
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Audit log')
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

  it('recognizes an ID, key or token in whatever was pasted, and finds keys, members and outcomes by their words', async () => {
    const { page } = user
    const id = '01a00000-0000-7000-8000-000000000000'
    await user.open(`/t/${tenantId}/billing`)
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search' })
    const field = palette.getByRole('textbox')
    const isFirst = async (text: string, name: RegExp | string) => {
      await field.fill(text)
      await palette.getByRole('option', { name }).first().waitFor()
    }
    const open = 'Open the verification with this ID'
    for (const pasted of [
      `"${id}"`,
      `{"verificationId":"${id}","status":"denied"}`,
      `Nov 30 12:00:00 app[7]: verification=${id.toUpperCase()} denied`,
      id.replaceAll('-', ''),
      id.replaceAll('-', '\u2011'),
      id.replaceAll('-', '–'),
      `it ends in ${id.slice(0, 30)} ${id.slice(30)} she wrote`,
    ]) {
      await isFirst(pasted, open)
    }
    await isFirst('Authorization: Bearer avk_test_abcdefgh', /^None of the API keys/)
    await isFirst('demo', 'demo')
    await isFirst(user.subject, user.subject)
    await isFirst('denied', /^Denied/)
    await isFirst('…cb421b99', 'Verifications with cb421b99 in their ID')
    await isFirst('revoked tokens', /^Token revoked$/)
    await isFirst('12ab', 'Verifications with 12ab in their ID')
    await field.fill('cb4')
    await palette.getByText('An ID is found by 4 of its digits: type 1 more.').waitFor()
    await field.fill('')
    await palette.getByRole('option', { name: 'Sign out' }).waitFor()
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await field.fill(`${fixture.service.baseUrl}/dashboard/t/${tenantId}/verifications/${id}?status=denied`)
    await palette.getByRole('option', { name: open }).click()
    await page.waitForURL(`**/t/${tenantId}/verifications/${id}`)
    await eventually(() => page.title(), { until: title => title.startsWith('Verification 00000000 ·') })
  })

  it('finds pages and actions by other words for them, under headings', async () => {
    const { page } = user
    await user.open(`/t/${tenantId}/billing`)
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search' })
    const inGroup = (name: string) => palette.getByRole('group', { name }).getByRole('option')
    await inGroup('Verifications').first().waitFor()
    const pages = await inGroup('Pages').allTextContents()
    expect(pages[0]).to.equal('Overview')
    expect(pages.at(-1), 'the page that is shown').to.equal('Billing')
    for (const [text, group, name] of [
      ['rotate', 'Pages', 'Webhook settings'],
      ['invite', 'Pages', 'Members'],
      ['logs', 'Pages', 'Audit log'],
      ['quota', 'Pages', 'Billing'],
      ['usage', 'Pages', 'Billing'],
      ['csv', 'Pages', 'Verifications'],
      ['expired', 'Pages', 'Revoked and expired API keys'],
      ['abandoned', 'Verifications', 'Expired or abandoned'],
      ['underage', 'Verifications', 'Under 18'],
      ['logout', 'Actions', 'Sign out'],
      ['tenant', 'Tenants', 'You are in it'],
      ['help', 'Actions', 'Show keyboard shortcuts'],
      ['api reference', 'Documents', 'API reference'],
      ['docs', 'Documents', 'API reference'],
    ] as const) {
      await palette.getByRole('textbox').fill(text)
      await inGroup(group).and(page.locator('[data-combobox-selected]')).filter({ hasText: name }).waitFor()
    }
  })

  it('opens a key by its ID, a part of it or its value, a member in the list, and says which tenant has its own ID', async () => {
    const { page } = user
    await user.open(`/t/${tenantId}/api-keys`)
    const link = page.locator('main td a').first()
    const id = new URL(await link.evaluate((anchor: { href: string }) => anchor.href)).searchParams.get(
      'key',
    )!
    const start = (await page.locator('main td code').first().textContent())!.replace('…', '')
    const palette = page.getByRole('dialog', { name: 'Search' })
    const best = palette.getByRole('option').first()
    for (const pasted of [
      id,
      `{"apiKeyId":"${id}"}`,
      id.slice(-8),
      start.slice(0, -2),
      `${start}${'a'.repeat(40)}`,
    ]) {
      await user.open(`/t/${tenantId}/billing`)
      await page.keyboard.press('Control+k')
      await palette.getByRole('textbox').fill(pasted)
      await best.getByText('demo', { exact: true }).waitFor()
      expect(await palette.getByRole('option').count(), pasted).to.equal(pasted.length === 8 ? 2 : 1)
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/t/${tenantId}/api-keys?key=${id}`)
    }
    await page.keyboard.press('Control+k')
    await palette.getByRole('textbox').fill(tenantId)
    await best.getByText('You are in it').waitFor()
    await palette.getByRole('textbox').fill(user.subject)
    await palette.getByRole('group', { name: 'Members' }).getByRole('option').click()
    await page.waitForURL(`**/t/${tenantId}/settings/members?search=*`)
    await eventually(() => page.locator('main tbody tr').count(), { until: count => count === 1 })
  })

  it('closes the search by the keys that open it, and lists shortcuts over a panel too', async () => {
    const { page } = user
    await user.open(`/t/${tenantId}/api-keys`)
    const search = page.getByRole('dialog', { name: 'Search' })
    await page.keyboard.press('Control+k')
    await search.waitFor()
    await page.keyboard.press('Control+k')
    await search.waitFor({ state: 'hidden' })
    await page.locator('main td a').first().click()
    await page.getByRole('dialog', { name: 'API key' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'hidden' })
    await page.keyboard.press('/')
    await search.waitFor()
    await page.keyboard.press('Escape')
    await search.waitFor({ state: 'hidden' })
  })

  it('has the best match active from the moment that it is drawn, so that Enter never runs another one', async () => {
    const { page } = user
    await user.open(`/t/${tenantId}/billing`)
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Search' })
    const field = palette.getByRole('textbox')
    await palette.getByRole('option').nth(3).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.evaluate(recordActiveOptions)
    await field.fill('demo')
    await palette.getByRole('option', { name: /^demo$/ }).waitFor()
    const seen = await page.evaluate<{ first: string; active: string }[]>('seen')
    expect(seen.map(({ first }) => first)).to.include('demo')
    expect(seen.filter(({ first, active }) => first !== active)).to.deep.equal([])
    await field.fill('')
    for (const [key, option] of Object.entries({ ArrowDown: 1, ArrowUp: 0 })) {
      await page.keyboard.press(key)
      const id = await palette.getByRole('option').nth(option).getAttribute('id')
      expect(await field.getAttribute('aria-activedescendant')).to.equal(id)
    }
    await page.keyboard.press('ArrowUp')
    const last = await palette.getByRole('option').last().getAttribute('id')
    expect(await field.getAttribute('aria-activedescendant')).to.equal(last)
  })

  it('opens the search without a request, and has the tenant first at the top left', async () => {
    const { page } = user
    const openPalette = async () => {
      await page.keyboard.press('Control+k')
      await page.getByRole('option', { name: /^Overview/ }).waitFor()
    }
    await user.open(`/t/${tenantId}/settings`)
    await openPalette()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    const requested: string[] = []
    const record = (request: Request) => requested.push(request.url())
    page.on('request', record)
    await openPalette()
    page.off('request', record)
    expect(requested).to.deep.equal([])
    await page.keyboard.press('Escape')
    expect(await page.getByRole('banner').locator(':scope > :visible').first().textContent()).to.equal('Demo')
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
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
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
    await another.and(page.locator('[data-combobox-selected]')).waitFor()
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Tenant: Another tenant/ }).waitFor()
    expect(new URL(page.url()).pathname).to.match(/\/settings\/webhook$/)
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  })

  it('switches between 200 tenants with long names, by search, at every width', async () => {
    const { page } = user
    await addTenants(fixture.service, user.subject, longNames)
    user.consoleErrors.length = 0
    await user.open(`/t/${tenantId}/overview`)
    const palette = page.getByRole('dialog', { name: 'Switch tenant' })
    const options = palette.getByRole('option')
    const search = palette.getByRole('textbox')
    const switcher = page.getByRole('button', { name: /Switch tenant$/ })
    for (const width of [320, 1_280]) {
      await user.setWidth(width)
      await switcher.click()
      await eventually(() => options.count(), { until: count => count === 40 })
      expect(await isInside(palette), `inside ${width} pixels`).to.equal(true)
      await search.press('End')
      await page.keyboard.type('177 ')
      await options
        .first()
        .getByText(/^Tenant 177 /)
        .waitFor()
      expect(await isInside(options.first(), palette), `inside ${width} pixels`).to.equal(true)
      expect(await user.scrollsHorizontally()).to.equal(false)
      expect(await user.accessibilityViolations()).to.deep.equal([])
      await page.keyboard.press('Escape')
      await switcher.and(page.locator(':focus')).waitFor()
    }
    await switcher.click()
    await search.fill('nothing like this')
    await page.getByText('Nothing has this name, ID or form.').waitFor()
    await search.fill('tenant 177')
    await options
      .first()
      .getByText(/^Tenant 177 /)
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Tenant: Tenant 177 / }).waitFor()
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

  it('says that a file is missing when it still is after an update, instead of loading forever', async () => {
    const { page } = user
    await user.open(`/t/${tenantId}/overview`)
    await page.waitForLoadState('networkidle')
    const files = await removeScripts(page, { forGood: true })
    await page.evaluate(`sessionStorage.removeItem('age-verification.reloaded')`)
    await page.getByRole('link', { name: 'Verifications', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'This page could not be loaded' }).waitFor()
    await page.getByText('A file of the dashboard is missing on the service').waitFor()
    expect(files.loads).to.equal(1)
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await page.unroute('**/dashboard/**')
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { level: 1, name: 'Verifications' }).waitFor()
  })

  it("keeps what was typed while the search can't be loaded, says so, and opens it as soon as it is", async () => {
    const { page } = user
    const field = await openFormWithoutOverlays()
    const opener = page.getByRole('button', { name: /^Search/ })
    const dialog = page.getByRole('dialog')
    await opener.click()
    await page.getByRole('status').getByText('This is still loading.').waitFor()
    expect(await field.inputValue()).to.equal(typed)
    expect(await dialog.count()).to.equal(0)
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await page.unrouteAll()
    await dialog.waitFor()
    await page.getByText('This is still loading.').waitFor({ state: 'hidden' })
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await opener.and(page.locator(':focus')).waitFor()
    expect(await field.inputValue()).to.equal(typed)
  })

  for (const { name, width, button, opened } of [
    { name: 'menu of the user', width: 1_280, button: /^Signed in as/, opened: '#user' },
    { name: 'navigation', width: 375, button: 'Open navigation', opened: 'aside' },
  ] as const) {
    it(`opens the ${name} also while what opens over the page can't be loaded`, async () => {
      const { page } = user
      await user.setWidth(width)
      const field = await openFormWithoutOverlays()
      const opener = page.getByRole('button', { name: button })
      await opener.click()
      await page.locator(opened).waitFor()
      expect(await user.accessibilityViolations()).to.deep.equal([])
      await page.keyboard.press('Escape')
      await page.locator(opened).waitFor({ state: 'hidden' })
      await opener.and(page.locator(':focus')).waitFor()
      expect(await field.inputValue()).to.equal(typed)
      await page.unrouteAll()
      await user.setWidth(1_280)
    })
  }

  it('says that a change was saved as soon as its notification can be loaded', async () => {
    const { page } = user
    const field = await openFormWithoutOverlays()
    const name = `Tenant ${Date.now()}`
    await field.fill(name)
    await page.getByRole('button', { name: 'Save name' }).click()
    await page.getByRole('button', { name: 'Save name' }).waitFor({ state: 'hidden' })
    expect(await field.inputValue()).to.equal(name)
    await page.unrouteAll()
    await page.getByRole('status').getByText('Name saved.').waitFor()
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

  it('has a spinner in the middle of a busy button, and says when a change can be tried again', async () => {
    const { page } = user
    await user.open(`/t/${tenantId}/api-keys`)
    const isCreation = callsProcedure('apiKeys.create')
    const { promise: seen, resolve } = Promise.withResolvers<void>()
    await page.route(isCreation, async route => {
      await seen
      await rejectForRateLimit(route)
    })
    await page.getByRole('button', { name: 'Create API key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Later')
    await dialog.getByRole('button', { name: 'Create API key' }).click()
    const spinner = dialog.locator('.mantine-Button-loader')
    const [inner, outer] = [await centreOf(spinner), await centreOf(spinner.locator('..'))]
    expect(Math.hypot(inner.x - outer.x, inner.y - outer.y), 'pixels off the centre').to.be.below(1)
    const animation = await spinner
      .locator('.mantine-Loader-root')
      .evaluate(
        element =>
          element.ownerDocument.defaultView.getComputedStyle(element, '::after').animationIterationCount,
      )
    expect(animation, 'turns').to.equal('infinite')
    resolve()
    await dialog.getByText(/You can try again in (30|[12]?\d)\s+s\.$/).waitFor()
    await page.unroute(isCreation)
  })

  /** A page with something typed into it, on which dialogs can't be loaded until its routes are removed. */
  async function openFormWithoutOverlays(): Promise<Locator> {
    await user.page.route('**/assets/overlays-*.js', route => route.abort())
    await user.open(`/t/${tenantId}/settings`)
    const field = user.page.getByRole('textbox', { name: 'Name', exact: true })
    await field.fill(typed)
    return field
  }
})

/**
 * The scripts that the page requests from now on do not exist, until the page is loaded again: then they are
 * those of another version, unless they are missing for good.
 */
async function removeScripts(page: Page, { forGood = false } = {}) {
  const files = { removed: [] as string[], loads: 0 }
  await page.route('**/dashboard/**', async route => {
    const request = route.request()
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) files.loads += 1
    if (files.loads === 0 && request.resourceType() === 'script') files.removed.push(request.url())
    const isMissing = files.removed.includes(request.url()) && (files.loads === 0 || forGood)
    await (isMissing ? route.fulfill({ status: 404 }) : route.continue())
  })
  return files
}

/** Longer than any page waits until it refreshes its data. */
const pollingMs = 35_000

/** Whether an element is entirely inside the box of another one, by default the window. */
async function isInside(inner: Locator, outer?: Locator): Promise<boolean> {
  const box = (await inner.boundingBox())!
  const window = { x: 0, y: 0, ...inner.page().viewportSize()! }
  const around = outer ? (await outer.boundingBox())! : window
  const fitsAcross = box.x >= around.x && box.x + box.width <= around.x + around.width
  return fitsAcross && box.y >= around.y && box.y + box.height <= around.y + around.height
}

async function centreOf(locator: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await locator.boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}

/** Of each change of the palette's list, as soon as it is drawn: the text of the first and of the active option. */
const recordActiveOptions = `
  globalThis.seen = []
  const list = document.querySelector('[role=listbox]')
  const active = () => document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))
  const first = () => list.querySelector('[role=option]')
  const record = () => seen.push({ first: first()?.textContent, active: active()?.textContent })
  new MutationObserver(record).observe(list, { childList: true, subtree: true })`
