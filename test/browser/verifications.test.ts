import { buffer } from 'node:stream/consumers'
import { expect } from 'chai'
import { operate } from '#test/harness/processes/operate.ts'
import { eventually } from '../harness/eventually.ts'
import { changeResponses, holdResponses } from './browser/console-responses.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'
import { verify } from './browser/verify.ts'

describe(browserTitle('the list of verifications'), () => {
  const fixture = dashboardFixture()
  let user: DashboardUser
  let revoked: string
  let denied: string
  before(async () => {
    await operate(fixture.service, 'demo', 'seed', '--tenant', fixture.tenantId, '--verifications', '120')
    await verify(fixture)
    await verify(fixture, 'open', 'submit', { outcome: 'approve-adult' })
    await verify(fixture, 'open', 'submit', { outcome: 'approve-unknown-age' })
    revoked = await verify(fixture, 'open', 'submit', { outcome: 'approve-adult' }, { outcome: 'decline' })
    await verify(fixture, 'open', 'submit', { outcome: 'approve-minor' })
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
  const query = () => new URL(user.page.url()).searchParams

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
    await from.focus()
    await page.keyboard.type('010220260304AM')
    await eventually(() => query().get('from') === '2026-01-02T03:04')
    await from.fill('')
    await eventually(() => !query().has('from'))
    await to.fill('')
    await eventually(() => query().size === 0)
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
    for (const path of ['/verifications', '/audit-log']) {
      await user.open(`${path}?from=2026-02-31T10:00`)
      await page.getByRole('alert').getByText('The calendar has no 2026-02-31T10:00.').waitFor()
    }
    await user.open('/verifications?cursor=garbage')
    await page.getByRole('alert').getByText('The first page is shown.').waitFor()
    await eventually(ids, { until: shown => shown[0] === denied })
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

  it('exports what the filters select as a CSV file, and shows that it runs', async () => {
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
    await page.getByRole('button', { name: 'Export CSV' }).and(page.locator('[data-loading]')).waitFor()
    release()
    await page.getByRole('button', { name: 'Export CSV' }).and(page.locator(':not([data-loading])')).waitFor()
  })

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

  async function rowsShow(pattern: RegExp): Promise<void> {
    await eventually(results, {
      until: shown => shown.length > 0 && shown.every(result => pattern.test(result)),
    })
  }
})
