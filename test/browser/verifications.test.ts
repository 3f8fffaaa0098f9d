import { buffer } from 'node:stream/consumers'
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
      Revoked: "Don't admit this user, 1 coloured",
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
    for (const filters of ['status=denied&reason=102', 'status=denied']) {
      await user.open(`/verifications?${filters}`)
      expect(await current(), filters).to.equal('Denied')
    }
    await page.getByLabel('Outcome').selectOption('Pending')
    await eventually(() => query().toString() === 'status=pending')
    expect(await page.locator('nav[aria-label=Views] [aria-current]').count()).to.equal(0)
    await user.open('/verifications?view=open&zone=utc')
    await page.getByLabel('Outcome').selectOption('Denied')
    await eventually(() => query().toString() === 'zone=utc&view=denied')
  })

  it('keeps the reason from view to view where one can match, and offers none elsewhere', async () => {
    const { page } = user
    const reason = page.getByLabel('Reason')
    await user.open('/verifications?period=30d&reason=102')
    await page.getByRole('link', { name: 'Denied', exact: true }).click()
    await eventually(() => query().toString() === 'reason=102&period=30d&view=denied')
    expect(await reason.inputValue()).to.equal('102')
    await page.getByRole('link', { name: 'Under 18' }).click()
    await rowsShow(/^Under 18$/)
    expect([query().toString(), await reason.count()]).to.deep.equal(['period=30d&view=under-18', 0])
    await page.getByRole('link', { name: 'All', exact: true }).click()
    await reason.waitFor()
  })

  it('takes a view that is none out of the URL', async () => {
    await user.open('/verifications?view=bogus&period=30d')
    await eventually(() => query().toString() === 'period=30d')
    expect(await user.page.locator('nav[aria-label=Views] [aria-current]').textContent()).to.equal('All')
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
    for (const text of [
      shown,
      `…${shown}.`,
      `"${denied}"`,
      `{"verificationId":"${denied}","status":"denied"}`,
      link,
      denied.replaceAll('-', ''),
      denied.replaceAll('-', '\u2011'),
      denied.replaceAll('-', '–').toUpperCase(),
      `> ${denied.slice(0, 24)}=\n> ${denied.slice(24)}`,
    ]) {
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

  it('filters by outcome, completion, reason, time and ID, all kept in the URL and after a reload', async () => {
    const { page } = user
    await user.open('/verifications')
    const outcome = page.getByLabel('Outcome')
    await outcome.selectOption('Under 18')
    await rowsShow(/^Under 18$/)
    await outcome.selectOption('Revoked')
    await rowsShow(/^Revoked$/)
    expect(await ids()).to.include(revoked)
    expect(query().get('view')).to.equal('token-revoked')
    await outcome.selectOption('Age unknown')
    await rowsShow(/^Age unknown$/)
    await user.open('/verifications?status=denied&status=rejected')
    await rowsShow(/^(Denied|Rejected)$/)
    expect(await outcome.locator('option:checked').textContent()).to.equal('Denied, Rejected')
    await page.getByLabel('Reason').selectOption('The document looks tampered with (102)')
    await eventually(async () => (await ids()).includes(denied) && query().get('reason') === '102')
    await page.getByRole('searchbox', { name: 'Search by ID' }).fill(denied.slice(0, 23))
    await eventually(ids, { until: shown => shown.length === 1 })
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('link', { name: 'Open', exact: true }).click()
    await page.getByLabel('Time', { exact: true }).selectOption('Last 30 days')
    await rowsShow(/^(Pending|Started|Submitted|Resubmission)$/)
    expect(query().toString()).to.equal('period=30d&view=open')
  })

  it('has the views in one line on a phone, with the current one in view, and no scroll of the page', async () => {
    const { page } = user
    await user.setWidth(375)
    await user.open('/verifications?view=token-revoked')
    const tabs = page.getByRole('navigation', { name: 'Views' })
    const boxes = await Promise.all((await tabs.getByRole('link').all()).map(link => link.boundingBox()))
    expect(new Set(boxes.map(box => box?.y)).size).to.equal(1)
    expect(boxes.at(-1)!.x + boxes.at(-1)!.width).to.be.below(375)
    expect(await page.evaluate('scrollX + scrollY')).to.equal(0)
    expect(await user.scrollsHorizontally()).to.equal(false)
    await tabs.getByRole('link', { name: 'Under 18' }).click()
    await rowsShow(/^Under 18$/)
    expect((await table().getByRole('link').first().boundingBox())?.y).to.be.below(360)
    expect(await user.accessibilityViolations()).to.deep.equal([])
  })

  it('says how many there are as far as they are shown, and in which time zone', async () => {
    await user.open('/verifications')
    await user.page.getByText('50 verifications. There are older ones. Times in UTC.').waitFor()
    await user.open(`/verifications?search=${denied}`)
    await user.page.getByText('1 verification. Times in UTC.').waitFor()
  })

  it('offers times by what happened then, and has any other that a link names', async () => {
    const time = user.page.getByLabel('Time', { exact: true })
    const offered = async (query: string) => {
      await user.open(`/verifications${query}`)
      const groups = time.locator('optgroup')
      const labels = await groups.evaluateAll(all => all.map(group => group.label))
      return { labels, count: await groups.first().locator('option').count() }
    }
    expect(await offered('')).to.deep.equal({ labels: ['Created', 'Completed'], count: 7 })
    expect(await offered('?period=quarter&by=completed')).to.include({ count: 8 })
    expect(await time.locator('option:checked').textContent()).to.equal('Completed this quarter')
  })

  it('shows the time of day in each row, and in a tooltip nothing that is nowhere else but milliseconds', async () => {
    await user.open('/verifications')
    const times = await table().locator('tbody td:first-child').allTextContents()
    expect(times).to.have.length(50)
    for (const time of times) expect(time).to.match(/^[A-Z][a-z]{2}\s\d{1,2}(, \d{4})?, \d{1,2}:\d\d\s[AP]M$/)
    await user.page.getByText('Times in UTC.').waitFor()
  })

  it('filters from a minute to another one, or by whole days, and keeps a time while it is typed', async () => {
    const { page } = user
    await user.open('/verifications')
    await page.getByLabel('Time', { exact: true }).selectOption('Between …')
    const [from, to] = [page.getByLabel('From', { exact: true }), page.getByLabel('To', { exact: true })]
    const today = new Date().toISOString().slice(0, 10)
    await eventually(() => query().toString() === `from=${today}&to=${today}`)
    expect([await from.inputValue(), await to.inputValue()]).to.deep.equal([
      `${today}T00:00`,
      `${today}T23:59`,
    ])
    await from.fill('2026-01-02T03:04')
    await eventually(() => query().get('from') === '2026-01-02T03:04')
    await from.fill('')
    await eventually(() => !query().has('from'))
    await to.fill('')
    await eventually(() => query().size === 0)
    expect(await from.isVisible()).to.equal(true)
  })

  it('shows the time that it is filtered by, in the zone of the filter, which it names', async () => {
    const storageState = await user.page.context().storageState()
    const context = await fixture.browser.newContext({ storageState, timezoneId: 'America/New_York' })
    const page = await context.newPage()
    const open = async (query: string) => {
      await page.goto(`${fixture.service.baseUrl}/dashboard/verifications?${query}`)
      await page.locator('table[aria-busy=false] tbody tr').first().waitFor()
      return {
        header: await page.getByRole('columnheader').first().textContent(),
        shown: await page.locator('tbody tr:first-child td:first-child').textContent(),
        at: await page.locator('tbody tr:first-child time').getAttribute('datetime'),
      }
    }
    const clock = (at: string | null, timeZone: string) =>
      new Date(at!).toLocaleTimeString('en-US', { timeZone, hour: 'numeric', minute: '2-digit' })
    const plain = (text: string | null) => text?.replaceAll(/\s/g, ' ')
    const utc = await open('period=30d&by=completed&zone=utc&view=denied')
    expect(utc.header).to.equal('Completed (UTC)')
    expect(plain(utc.shown)).to.contain(plain(clock(utc.at, 'UTC')))
    await page.getByText('In order of creation. Times in UTC.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('Times in America/New York.').waitFor()
    const local = await open('view=denied')
    expect(plain(local.shown)).to.contain(plain(clock(local.at, 'America/New_York')))
    await context.close()
  })

  it('selects the text of a row by dragging, and opens it by a click, with the keys of a link', async () => {
    const { page } = user
    await user.open('/verifications?view=denied')
    const why = page.locator(`tr:has(#verification-${denied}) td:nth-child(3) span`)
    const box = (await why.boundingBox())!
    await page.mouse.move(box.x + 2, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2, { steps: 5 })
    await page.mouse.up()
    expect(await page.evaluate<string>('String(getSelection())')).to.have.length.above(5)
    expect(page.url()).not.to.contain(denied)
    await page.mouse.click(1, 400)
    const opened = page.context().waitForEvent('page')
    await why.click({ modifiers: ['ControlOrMeta'] })
    const tab = await opened
    await tab.waitForURL(`**/verifications/${denied}?view=denied`)
    await tab.close()
    await why.click()
    await page.waitForURL(`**/verifications/${denied}?view=denied`)
    await page.keyboard.press('Escape')
  })

  it('dims the rows of another filter and marks them busy, until those of the new one are loaded', async () => {
    const { page } = user
    await user.open('/verifications')
    const release = await holdResponses(page, 'verifications.list')
    await page.getByLabel('Outcome').selectOption('Denied')
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
      const select = [...document.querySelectorAll('select')].find(({ ariaLabel }) => ariaLabel === 'Outcome')
      select.value = 'Pending'
      select.dispatchEvent(new Event('change', { bubbles: true }))
      await Promise.resolve()
      return [select.value, document.querySelector('table').ariaBusy, location.search]
    })()`)
    expect(shown).to.deep.equal(['Pending', 'false', '?status=pending'])
    await page.locator('table[aria-busy=true]').waitFor()
    release()
    await page.locator('table[aria-busy=false]').waitFor()
    expect(await page.getByLabel('Outcome').inputValue()).to.equal('Pending')
  })

  it('announces the result of filtering and paging, and goes on from the top of the table', async () => {
    const { page } = user
    await user.open('/verifications')
    const [newest] = await ids()
    await page.getByRole('button', { name: 'Next' }).click()
    await eventually(announcement, { until: text => text === '50 verifications. There are older ones.' })
    await page.getByRole('button', { name: 'First' }).click()
    expect(await page.evaluate('document.activeElement.ariaLabel')).to.equal('Verifications')
    await eventually(ids, { until: shown => shown[0] === newest })
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).to.equal(newest)
    await page.getByLabel('Outcome').selectOption('Under 18')
    await eventually(announcement, { until: text => /^\d+ verifications?\.$/.test(text ?? '') })
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await eventually(announcement, { until: text => text === '50 verifications. There are older ones.' })
    expect(await page.getByRole('status').count()).to.be.at.most(3)
  })

  it('goes one page back and forth however often and early the buttons are clicked, also after a reload', async () => {
    const { page } = user
    await user.open('/verifications')
    const newest = await ids()
    const release = await holdResponses(page, 'verifications.list')
    const older = page.getByRole('button', { name: 'Next' })
    await older.click()
    await page.locator('table[aria-busy=true]').waitFor()
    for (let clicks = 1; clicks < 3; clicks++) await older.click({ force: true })
    release()
    await eventually(ids, { until: shown => shown.length === 50 && shown[0] !== newest[0] })
    const second = await ids()
    expect(second.some(id => newest.includes(id))).to.equal(false)
    await older.click()
    const third = await eventually(ids, { until: shown => shown[0] !== second[0] })
    await page.reload()
    await user.loaded()
    expect(await ids()).to.deep.equal(third)
    await page.getByRole('button', { name: 'Previous' }).click()
    await eventually(ids, { until: shown => shown[0] === second[0] })
    await page.getByRole('button', { name: 'Previous' }).click()
    await eventually(ids, { until: shown => shown[0] === newest[0] })
    expect(query().has('cursor')).to.equal(false)
  })

  it('explains a search, days and a page that cannot be, instead of loading forever or finding nothing', async () => {
    const { page } = user
    await user.open('/verifications')
    const fieldTop = async () => (await page.getByLabel('Outcome').boundingBox())?.y
    const top = await fieldTop()
    await user.open('/verifications?search=zz')
    await page
      .getByRole('alert')
      .getByText('IDs contain only digits, the letters a to f and hyphens.')
      .waitFor()
    expect(await page.locator('.mantine-Skeleton-root').count()).to.equal(0)
    expect(await fieldTop()).to.equal(top)
    await user.open('/verifications?from=2026-12-01&to=2026-01-01')
    await page.getByRole('alert').getByText('The first time is after the last').waitFor()
    await user.open('/verifications?cursor=garbage')
    await page.getByRole('alert').getByText('The first page is shown.').waitFor()
    expect((await ids())[0]).to.equal(denied)
    expect(query().has('cursor')).to.equal(false)
    expect(await page.getByRole('alert').count()).to.equal(1)
  })

  it('says how far back a rare filter was searched, and goes on by itself until something is found', async () => {
    const { page } = user
    const continued = Promise.withResolvers<void>()
    let isFirst = true
    await changeResponses(page, 'verifications.list', async data => {
      if (!isFirst) return await continued.promise
      isFirst = false
      const nextCursor = data.items[0].verificationId
      Object.assign(data, { items: [], nextCursor, searchedUntil: '2026-03-03T12:00:00.000Z' })
    })
    await user.openHeading('/verifications')
    await page.getByText('Searched back to Mar 3, 2026').waitFor()
    await eventually(() => query().has('cursor'))
    continued.resolve()
    await page.getByRole('table').getByRole('link').first().waitFor()
    await page.getByText('Searched back').waitFor({ state: 'hidden' })
    await page.unrouteAll({ behavior: 'wait' })
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
    const content = await buffer(await file.createReadStream())
    // So that Excel reads UTF-8, and each line as one.
    expect(content.subarray(0, 17).toString('latin1')).to.equal('\xef\xbb\xbfverificationId')
    expect(content.toString().match(/(?<!\r)\n|\r(?!\n)/)).to.equal(null)
    const rows = content.toString().trim().split('\r\n').slice(1)
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

  it('opens a row with the filters that were chosen before, drawn or not', async () => {
    const { page } = user
    await user.open('/verifications')
    await page.getByRole('table').getByRole('link').first().waitFor()
    await page.evaluate(`(async () => {
      const select = [...document.querySelectorAll('select')].find(({ ariaLabel }) => ariaLabel === 'Time')
      select.value = 'created 30d'
      select.dispatchEvent(new Event('change', { bubbles: true }))
      await Promise.resolve()
      document.querySelector('table a').click()
    })()`)
    await page.getByRole('dialog', { name: 'Verification', exact: true }).waitFor()
    expect(query().toString()).to.equal('period=30d')
    await page.keyboard.press('Escape')
  })

  it('applies every choice, however fast it is made, and nothing that was cleared in the meantime', async () => {
    const { page } = user
    await page.clock.install()
    await user.open('/verifications')
    await page.getByLabel('Outcome').waitFor()
    await page.evaluate(`for (const [label, value] of Object.entries({ Outcome: 'Pending', Time: 'created 30d' })) {
      const select = [...document.querySelectorAll('select')].find(({ ariaLabel }) => ariaLabel === label)
      select.value = value
      select.dispatchEvent(new Event('change', { bubbles: true }))
    }`)
    await eventually(() => query().toString(), { until: text => text === 'status=pending&period=30d' })
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
