import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { operate } from '#test/harness/processes/operate.ts'
import { eventually } from '../harness/eventually.ts'
import { changeResponses, holdResponses } from './browser/console-responses.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'
import { verify } from './browser/verify.ts'

describe(browserTitle('the list of verifications'), function () {
  this.timeout(60_000)
  const fixture = dashboardFixture()
  let user: DashboardUser
  let minor: string
  let revoked: string
  let unknownAge: string
  let denied: string
  before(async () => {
    await operate(fixture.service, 'demo', 'seed', '--tenant', fixture.tenantId, '--verifications', '120')
    await verify(fixture)
    await verify(fixture, 'open', 'submit', { outcome: 'approve-adult' })
    unknownAge = await verify(fixture, 'open', 'submit', { outcome: 'approve-unknown-age' })
    revoked = await verify(fixture, 'open', 'submit', { outcome: 'approve-adult' }, { outcome: 'decline' })
    minor = await verify(fixture, 'open', 'submit', { outcome: 'approve-minor' })
    denied = await verify(fixture, 'open', 'submit', { outcome: 'decline', reasonCode: '102' })
    user = await fixture.user('owner', { path: '/verifications' })
  })
  beforeEach(() => user.setWidth(1_280))
  afterEach(() => user.page.unrouteAll({ behavior: 'ignoreErrors' }))

  const table = () => user.page.getByRole('table', { name: 'Verifications' })
  const results = () => table().locator('tbody td:nth-child(2)').allTextContents()
  const ids = () =>
    table()
      .getByRole('link')
      .evaluateAll(links => links.map(link => link.textContent))
  const announcement = async () =>
    (await user.page.getByRole('status').allTextContents()).find(text => /verifications?\./.test(text))
  const query = () => new URL(user.page.url()).searchParams

  it('says outcome and reason in one line of 40 pixels, and colours only what someone should look at', async () => {
    await user.open('/verifications')
    const looks: Record<string, string> = {}
    for (const id of [revoked, minor, denied, unknownAge]) {
      const row = table()
        .getByRole('row')
        .filter({ has: user.page.locator(`#verification-${id}`) })
      const [, outcome, why] = await row.getByRole('cell').allTextContents()
      looks[outcome ?? ''] = `${why}, ${await row.locator('.mantine-Badge-root').count()} coloured`
    }
    expect(looks).to.deep.equal({
      Revoked: 'Token revoked, 1 coloured',
      'Under 18': 'The check passed, 1 coloured',
      Denied: 'Document tampered with, 1 coloured',
      'Age unknown': 'No age to rely on, 1 coloured',
    })
    const passed = table().getByRole('row').filter({ hasText: 'Approved · 18+' }).first()
    expect(await passed.locator('.mantine-Badge-root').count()).to.equal(0)
    const heights = await table()
      .locator('tbody tr')
      .evaluateAll(rows => rows.map(row => Math.round(row.getBoundingClientRect().height)))
    expect(new Set(heights)).to.deep.equal(new Set([40]))
  })

  it('never shows an approval whose token is revoked as a pass', async () => {
    await user.open('/verifications?view=token-revoked')
    await rowsShow(/^Revoked$/)
    expect(await ids()).to.include(revoked)
    expect(await table().textContent()).not.to.contain('Approved')
  })

  it('says of a rejected verification how far the user came', async () => {
    await user.open('/verifications?status=rejected')
    await rowsShow(/^Rejected$/)
    const whys = await table().locator('tbody td:nth-child(3)').allTextContents()
    expect(whys.every(why => /^(Never opened|Gave up before submitting)$/.test(why))).to.equal(true)
  })

  it('has views with names in the URL, which keep the time, and which are found by their filters', async () => {
    const { page } = user
    await user.open('/verifications?period=30d')
    const current = () => page.locator('nav[aria-label=Views] [aria-current]').textContent()
    expect(await current()).to.equal('All')
    await page.getByRole('link', { name: 'Needs a look' }).click()
    await rowsShow(/^(Revoked|Under 18|Age unknown|Denied|Resubmission)$/)
    expect(query().toString()).to.equal('period=30d&view=needs-a-look')
    await page.reload()
    await user.loaded()
    await rowsShow(/^(Revoked|Under 18|Age unknown|Denied|Resubmission)$/)
    expect(await current()).to.equal('Needs a look')
    await user.open('/verifications?status=denied')
    expect(await current()).to.equal('Denied')
    await page.getByRole('group', { name: 'Statuses' }).getByText('Rejected').click()
    await eventually(() => query().getAll('status').length === 2)
    expect(await page.locator('nav[aria-label=Views] [aria-current]').count()).to.equal(0)
  })

  it('finds an ID by the digits that a row shows, and by JSON, quotes or a link that has it', async () => {
    const { page } = user
    await user.open('/verifications')
    const search = page.getByRole('searchbox', { name: 'Search by ID' })
    const shown = denied.slice(-8)
    expect(
      await page.locator(`#verification-${denied}`).evaluate(link => link.lastChild?.textContent),
    ).to.equal(shown)
    const link = `https://example.com/dashboard/t/${fixture.tenantId}/verifications/${denied}?period=30d`
    for (const text of [shown, `"${denied}"`, `{"verificationId":"${denied}","status":"denied"}`, link]) {
      await search.fill('')
      await eventually(ids, { until: all => all.length > 1 })
      await search.fill(text)
      await eventually(ids, { until: found => found.length === 1 && found[0] === denied })
    }
  })

  it('is read with j, k and Enter, but not while something is typed', async () => {
    const { page } = user
    await user.open('/verifications')
    const all = await ids()
    const focused = () => page.evaluate<string>('document.activeElement.textContent')
    await page.keyboard.press('j')
    expect(await focused()).to.equal(all[0])
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    expect(await focused()).to.equal(all[1])
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Verification', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('searchbox', { name: 'Search by ID' }).pressSequentially('j')
    expect(await focused()).not.to.be.oneOf(all)
  })

  it('filters by age, several statuses, completion, reason and ID, all kept in the URL and after a reload', async () => {
    const { page } = user
    await user.open('/verifications')
    await page.getByLabel('18 or over').selectOption('Under 18')
    await rowsShow(/^Under 18$/)
    await page.getByLabel('18 or over').selectOption('Token revoked')
    await rowsShow(/^Revoked$/)
    expect(await ids()).to.include(revoked)
    expect(query().get('view')).to.equal('token-revoked')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('group', { name: 'Statuses' }).getByText('Denied').click()
    await page.getByRole('group', { name: 'Statuses' }).getByText('Rejected').click()
    await rowsShow(/^(Denied|Rejected)$/)
    expect(query().getAll('status')).to.deep.equal(['denied', 'rejected'])
    await page.reload()
    await user.loaded()
    await rowsShow(/^(Denied|Rejected)$/)
    await page.getByRole('combobox', { name: 'Reason' }).fill('tampered')
    await page.getByRole('option', { name: 'The document looks tampered with (102)' }).click()
    await eventually(async () => (await ids()).includes(denied) && query().get('reason') === '102')
    await page.getByRole('searchbox', { name: 'Search by ID' }).fill(denied.slice(0, 23))
    await eventually(ids, { until: shown => shown.length === 1 })
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('link', { name: 'Open', exact: true }).click()
    await page.getByLabel('Created').selectOption('Last 30 days')
    await rowsShow(/^(Pending|Started|Submitted|Resubmission)$/)
    expect(query().toString()).to.equal('period=30d&view=open')
  })

  it('has the first and the last day beside each other, once days are chosen', async () => {
    const { page } = user
    await user.open('/verifications')
    await page.getByLabel('Created', { exact: true }).selectOption('Choose days')
    const [first, last] = await Promise.all(
      ['First day', 'Last day'].map(label => page.getByLabel(label, { exact: true }).boundingBox()),
    )
    expect(last!.y).to.equal(first!.y)
    expect(last!.x - (first!.x + first!.width)).to.be.within(0, 24)
  })

  it('dims the rows of another filter and marks them busy, until those of the new one are loaded', async () => {
    const { page } = user
    await user.open('/verifications')
    const release = await holdResponses(page, 'verifications.list')
    await page.getByRole('group', { name: 'Statuses' }).getByText('Denied').click()
    await page.locator('table[aria-busy=true]').waitFor()
    const opacity = await table()
      .locator('tbody')
      .evaluate(element => element.ownerDocument.defaultView.getComputedStyle(element).opacity)
    expect(Number(opacity)).to.be.below(0.6)
    release()
    await page.locator('table[aria-busy=false]').waitFor()
    expect(new Set(await results())).to.deep.equal(new Set(['Denied']))
  })

  it('shows a choice at once, before the answer and before the list can be drawn', async () => {
    const { page } = user
    await user.open('/verifications')
    const release = await holdResponses(page, 'verifications.list')
    // Read in the task of the click, in which nothing but the fields is drawn.
    const shown = await page.evaluate(`(async () => {
      const chip = document.querySelector('[aria-label=Statuses] input')
      chip.click()
      await Promise.resolve()
      return [chip.checked, document.querySelector('table').ariaBusy, location.search]
    })()`)
    expect(shown).to.deep.equal([true, 'false', '?status=pending'])
    await page.locator('table[aria-busy=true]').waitFor()
    release()
    await page.locator('table[aria-busy=false]').waitFor()
    expect(await page.getByRole('checkbox', { name: 'Pending' }).isChecked()).to.equal(true)
  })

  it('announces the result of filtering and paging, and keeps the focus', async () => {
    const { page } = user
    await user.open('/verifications')
    await page.getByRole('button', { name: 'Older' }).click()
    await eventually(announcement, { until: text => text === '25 verifications. There are older ones.' })
    await page.getByRole('button', { name: 'Newest' }).click()
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Newest')
    await page.getByLabel('18 or over').selectOption('Under 18')
    await eventually(announcement, { until: text => /^\d+ verifications?\.$/.test(text ?? '') })
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await eventually(announcement, { until: text => text === '25 verifications. There are older ones.' })
    expect(await page.getByRole('status').count()).to.be.at.most(3)
  })

  it('names each copy button after its ID', async () => {
    await user.open('/verifications')
    await user.page.getByRole('button', { name: `Copy ID ${minor}` }).waitFor()
    const names = await user.page
      .getByRole('button', { name: /^Copy/ })
      .evaluateAll(buttons => buttons.map(button => button.ariaLabel))
    expect(new Set(names).size).to.equal(25)
  })

  it('goes one page back and forth however often and early the buttons are clicked, also after a reload', async () => {
    const { page } = user
    await user.open('/verifications')
    const newest = await ids()
    const release = await holdResponses(page, 'verifications.list')
    const older = page.getByRole('button', { name: 'Older' })
    await older.click()
    await page.locator('table[aria-busy=true]').waitFor()
    for (let clicks = 1; clicks < 3; clicks++) await older.click({ force: true })
    release()
    await eventually(ids, { until: shown => shown.length === 25 && shown[0] !== newest[0] })
    const second = await ids()
    expect(second.some(id => newest.includes(id))).to.equal(false)
    await older.click()
    const third = await eventually(ids, { until: shown => shown[0] !== second[0] })
    await page.reload()
    await user.loaded()
    expect(await ids()).to.deep.equal(third)
    await page.getByRole('button', { name: 'Newer' }).click()
    await eventually(ids, { until: shown => shown[0] === second[0] })
    await page.getByRole('button', { name: 'Newer' }).click()
    await eventually(ids, { until: shown => shown[0] === newest[0] })
    expect(query().has('cursor')).to.equal(false)
  })

  it('explains a search, days and a page that cannot be, instead of loading forever or finding nothing', async () => {
    const { page } = user
    await user.open('/verifications')
    const fieldTop = async () => (await page.getByLabel('18 or over').boundingBox())?.y
    const top = await fieldTop()
    await user.open('/verifications?search=zz')
    await page
      .getByRole('alert')
      .getByText('IDs contain only digits, the letters a to f and hyphens.')
      .waitFor()
    expect(await page.locator('.mantine-Skeleton-root').count()).to.equal(0)
    expect(await fieldTop()).to.equal(top)
    await user.open('/verifications?from=2026-12-01&to=2026-01-01')
    await page.getByRole('alert').getByText('The first day is after the last').waitFor()
    await user.open('/verifications?cursor=garbage')
    await page.getByRole('alert').getByText('The first page is shown.').waitFor()
    expect((await ids())[0]).to.equal(denied)
    expect(query().has('cursor')).to.equal(false)
    expect(await page.getByRole('alert').count()).to.equal(1)
  })

  it('says how far back a rare filter was searched, and goes on from there', async () => {
    const { page } = user
    await changeResponses(page, 'verifications.list', data => {
      const nextCursor = data.items.at(-1).verificationId
      Object.assign(data, { items: [], nextCursor, searchedUntil: '2026-03-03T12:00:00.000Z' })
    })
    await user.open('/verifications?over18=unknown')
    await page.getByText('No results so far').waitFor()
    await page.getByText('Searched back to Mar 3, 2026').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Continue searching' }).click()
    await eventually(() => query().has('cursor'))
  })

  it('exports what the filters select as a CSV file, and can be cancelled', async () => {
    const { page } = user
    await user.open('/verifications?status=denied&status=rejected&reason=102')
    await rowsShow(/^Denied$/)
    const shown = await ids()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const file = await download
    expect(file.suggestedFilename()).to.match(
      /^[\w-]+-verifications-denied-rejected-102-\d{4}-\d\d-\d\d\.csv$/,
    )
    const rows = (await text(await file.createReadStream())).trim().split('\r\n').slice(1)
    expect(rows.map(row => row.slice(0, 36))).to.have.members(shown)
    await page.getByText(`${rows.length} row${rows.length === 1 ? '' : 's'} exported.`).waitFor()
    const release = await holdResponses(page, 'exports/verifications.csv')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    await page.getByRole('button', { name: 'Cancel export' }).click()
    await page.getByRole('button', { name: 'Export CSV' }).waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Export CSV')
    release()
  })

  it('says why an export failed', async () => {
    const { page } = user
    await user.open('/verifications')
    await page.route('**/console/exports/**', route => route.abort())
    await page.getByRole('button', { name: 'Export CSV' }).click()
    await page.getByRole('alert').getByText('The export failed').waitFor()
    await page.getByText('Check your connection and try again.').waitFor()
    await page.unroute('**/console/exports/**')
    await page.route('**/console/exports/**', route =>
      route.continue({ url: `${route.request().url()}&unknown=1` }),
    )
    await page.getByRole('button', { name: 'Export CSV' }).click()
    await page.getByText('A parameter is missing or invalid.').waitFor()
  })

  for (const [width, layout] of [
    [375, 'grid'],
    [1_024, 'table-row'],
  ] as const) {
    it(`has the same layout while it loads and afterwards at a width of ${width} pixels`, async () => {
      const { page } = user
      await user.setWidth(width)
      const release = await holdResponses(page, 'verifications.list')
      await page.reload()
      await page.locator('table .mantine-Skeleton-root').first().waitFor()
      const widths = () =>
        page.locator('tbody tr:first-child td').evaluateAll(cells => cells.map(cell => cell.clientWidth))
      const loadingWidths = await widths()
      release()
      await user.loaded()
      expect(await widths()).to.deep.equal(loadingWidths)
      expect(await user.layoutShift()).to.be.below(0.02)
      const row = page.locator('tbody tr').first()
      expect(
        await row.evaluate(element => element.ownerDocument.defaultView.getComputedStyle(element).display),
      ).to.equal(layout)
      if (layout === 'grid') expect((await row.boundingBox())?.height).to.be.below(80)
      expect(await user.scrollsHorizontally()).to.equal(false)
    })
  }

  it('shows new verifications when the user asks for them, and moves no row before', async () => {
    const newcomer = await fixture.user('developer', { path: '/verifications' })
    const { page } = newcomer
    await page.clock.install()
    await newcomer.open('/verifications')
    const links = page.getByRole('table', { name: 'Verifications' }).getByRole('link')
    const shown = await links.first().textContent()
    const top = (await links.first().boundingBox())?.y
    const started = [await verify(fixture), await verify(fixture)]
    await page.clock.fastForward(11_000)
    await page.getByRole('button', { name: '2 new' }).waitFor()
    expect(await links.first().textContent()).to.equal(shown)
    expect((await links.first().boundingBox())?.y).to.equal(top)
    await page.getByRole('button', { name: '2 new' }).click()
    expect(await links.first().textContent()).to.equal(started[1])
    expect(await page.evaluate('document.activeElement.textContent')).to.equal(started[1])
    expect(newcomer.consoleErrors).to.deep.equal([])
    // Not closed: the clock of this page stays as it was set.
  })

  it('applies every choice, however fast it is made, and nothing that was cleared in the meantime', async () => {
    const { page } = user
    await page.clock.install()
    await user.open('/verifications')
    await page.getByRole('group', { name: 'Statuses' }).waitFor()
    await page.evaluate(
      `[...document.querySelectorAll('[aria-label=Statuses] label')].slice(-2).forEach(chip => chip.click())`,
    )
    await eventually(() => query().toString(), { until: text => text === 'status=denied&status=rejected' })
    const search = page.getByRole('searchbox', { name: 'Search by ID' })
    await search.fill(denied)
    // Read in the task of the click: what was typed is gone before its pause can end.
    const afterClick = await page.evaluate(`(async () => {
      [...document.querySelectorAll('button')].find(button => button.textContent === 'Clear filters').click()
      await Promise.resolve()
      return document.querySelector('input[type=search]').value
    })()`)
    expect(afterClick).to.equal('')
    await page.clock.fastForward(1_000)
    expect([query().toString(), await search.inputValue()]).to.deep.equal(['', ''])
    // The clock of this page stays as it was set.
  })

  async function rowsShow(pattern: RegExp): Promise<void> {
    await eventually(results, {
      until: shown => shown.length > 0 && shown.every(result => pattern.test(result)),
    })
  }
})
