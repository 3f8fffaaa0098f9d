import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Page, Route } from 'playwright-core'
import { verifyEvidence } from '#clients/typescript/src/offline/token-verifier.ts'
import { operate } from '#test/harness/processes/operate.ts'
import { eventually } from '../harness/eventually.ts'
import { call } from '../harness/tenant-client.ts'
import { holdResponses } from './browser/console-responses.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'
import { type DayResults, setUsageDays } from './browser/tenants.ts'
import { verify } from './browser/verify.ts'

const title = 'Overview · Age verification'
const dayMs = 86_400_000

/** The UTC day of a time, by default of now. */
const dayOf = (time = Date.now()) => new Date(time).toISOString().slice(0, 10)

describe(browserTitle('the overview and the quota of a tenant'), () => {
  const fixture = dashboardFixture()
  let user: DashboardUser
  let page: Page
  /** The day of the decisions, which the chart ends with also after midnight. */
  let day: string
  const week = () => `/overview?from=${dayOf(Date.parse(day) - 6 * dayMs)}&to=${day}`
  before(async () => {
    await plan()
    const { service, tenantId } = fixture
    await operate(service, 'tenant', 'set-plan', '--tenant', tenantId, '--plan', tenantId)
    await verify(fixture)
    await verify(fixture, 'open', { outcome: 'abandon' })
    for (const outcome of ['approve-adult', 'approve-adult', 'approve-minor', 'decline']) {
      await verify(fixture, 'open', 'submit', { outcome })
    }
    day = dayOf()
    user = await fixture.user('owner')
    ;({ page } = user)
  })

  it('says how many users are 18 or over, and at which step users give up', async () => {
    await user.open('/overview')
    expect(await metric('Started')).to.contain('6')
    expect(await metric('Approval rate'))
      .to.contain('75.0%')
      .and.contain('3 of 4 decided')
    expect(await metric('18+ rate'))
      .to.contain('66.7%')
      .and.contain('2 of 3 approved')
    expect(await metric('Completion rate'))
      .to.contain('80.0%')
      .and.contain('4 of 5 ended')
    const losses = page.getByRole('region', { name: 'Where users give up' })
    await losses.getByText(/^4 of 5 were decided \(80\.0%\)\.$/).waitFor()
    expect(await losses.getByRole('listitem').allTextContents()).to.deep.equal([
      'Never opened the page0 (0%)',
      'Left before submitting1 (20.0%)',
      'Submitted, but had no decision0 (0%)',
    ])
    const bars = await losses.locator('.mantine-Progress-section').evaluateAll(sections =>
      sections.map(section => {
        const whole = section.parentElement!.getBoundingClientRect().width
        return section.getBoundingClientRect().width / whole
      }),
    )
    expect(bars[1], 'a bar as long as its share').to.be.closeTo(0.2, 0.01)
    const ages = page.getByRole('list', { name: 'Age of the approved' })
    expect(await ages.getByRole('listitem').allTextContents()).to.deep.equal([
      '18+ 2 (66.7%)',
      'Under 18 1 (33.3%)',
      'Age unknown 0 (0%)',
    ])
    const results = page.getByRole('list', { name: 'Results' })
    expect(await results.getByRole('listitem').last().textContent()).to.equal('Approval rate 75.0%')
  })

  it('says in its first line that there is too little to compare with', async () => {
    await user.goTo('/overview', title)
    await page.getByText('Too few results to say what is unusual').waitFor()
    await page.getByText('There is no usage on this weekday in the four weeks before').waitFor()
    expect(await page.getByText(/normal for/i).count()).to.equal(0)
    const explained = new URL(
      (await page.getByRole('link', { name: 'What is unusual?' }).getAttribute('href'))!,
    )
    const documentation = await (await fetch(explained)).text()
    expect(documentation).to.contain(`<h2 id="${explained.hash.slice(1)}">What is unusual?`)
  })

  it('opens the list of what a legend entry or a number of the table stands for', async () => {
    const onDay = `from=${day}&to=${day}&by=completed&zone=utc`
    await user.goTo(week(), title)
    await page.getByText('Show as table').first().click()
    const today = page.getByRole('table', { name: 'Results by day' }).getByRole('row').nth(1)
    await today.getByRole('cell').nth(7).getByRole('link', { name: '1' }).press('Enter')
    await expectList(`status=approved&over18=no&${onDay}`)
    await eventually(() => page.locator('tbody tr').count(), { until: count => count === 1 })
    const earlier = dayOf()
    await user.goTo('/overview?range=month', title)
    const legend = page.getByRole('list', { name: 'Age of the approved' })
    expect(await legend.getByRole('link', { name: 'Age unknown' }).count(), 'a link to none').to.equal(0)
    await legend.getByRole('link', { name: 'Under 18' }).click()
    const monthUntil = (to: string) => `from=${to.slice(0, 7)}-01&to=${to}&by=completed&zone=utc`
    const months = [earlier, dayOf()].map(to => `status=approved&over18=no&${monthUntil(to)}`)
    await expectList(...months)
  })

  it('opens the verifications of a bar that is clicked, and of a denial the denied ones', async () => {
    const onDay = `from=${day}&to=${day}&by=completed&zone=utc`
    await user.goTo(week(), title)
    await chart().locator('[data-count=denied]').last().click()
    await expectList(onDay)
    await user.goTo(week(), title)
    await chart('Why users are denied').locator('[data-count]').last().click()
    await expectList(`status=denied&${onDay}`)
  })

  it('keeps the time range in the URL, and says why a range has no metrics', async () => {
    await user.goTo('/overview?range=7d', title)
    await page.getByRole('combobox', { name: 'Time range (UTC)' }).selectOption('Last month')
    await page.getByText('No verification ended in this period.').waitFor()
    await page.reload()
    await user.loaded()
    expect(new URL(page.url()).search).to.equal('?range=last-month')
    for (const [days, problem] of [
      ['from=2025-12-01&to=2025-01-01', 'The first day must not be after the last day.'],
      ['from=2025-02-30&to=2025-03-01', 'The calendar has no 2025-02-30. Choose another day.'],
    ]) {
      await user.open(`/overview?${days}`)
      await page.getByRole('alert').getByText(problem!).waitFor()
      expect(await page.getByRole('region').count(), 'charts').to.equal(0)
    }
  })

  it('takes a day that is typed key by key, and shows the latest range until it is whole and exists', async () => {
    await user.open('/overview?from=2025-10-31&to=2025-11-29')
    const first = page.getByLabel('First day')
    const shown = () => page.getByRole('main').getByRole('heading', { level: 2 }).first().textContent()
    await first.focus()
    await page.keyboard.type('02302025')
    await first.blur()
    await page.getByText('Please enter a valid value').waitFor()
    expect(await shown()).to.match(/^Oct 31\s–\sNov 29, 2025$/)
    await first.focus()
    await page.keyboard.type('09152025', { delay: 30 })
    await page.waitForURL(url => url.search === '?from=2025-09-15&to=2025-11-29')
    expect(await first.inputValue()).to.equal('2025-09-15')
    await eventually(shown, { until: text => /^Sep 15\s–\sNov 29, 2025$/.test(text ?? '') })
    expect(await page.getByText('Please enter a valid value').count()).to.equal(0)
  })

  it('warns on every page near the quota, until the warning is dismissed', async () => {
    await plan('--monthly-quota', '7', '--hard-limit', '20')
    await user.open('/verifications')
    await page.getByText('85% of the monthly quota is used').waitFor()
    const banner = page.getByRole('status').filter({ hasText: '85% of the monthly quota is used' })
    expect((await banner.boundingBox())!.height, 'one line').to.be.lessThan(48)
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await user.open('/overview')
    expect(await page.getByText('85% of the monthly quota is used').count(), 'said once').to.equal(1)
    await page.getByRole('button', { name: 'Dismiss the quota warning' }).click()
    await page.getByRole('heading', { level: 1 }).and(page.locator(':focus')).waitFor()
    await page.reload()
    await user.loaded()
    expect(await page.getByText('85% of the monthly quota is used').count()).to.equal(0)
  })

  it('names the hard limit only where overage leads to it', async () => {
    await plan('--monthly-quota', '7', '--hard-limit', '20')
    await user.open('/billing')
    await page.getByText('Off. New verifications are rejected at the quota.').waitFor()
    expect(await page.getByText(/hard limit/i).count()).to.equal(0)
    await plan('--monthly-quota', '5', '--overage', 'true')
    await user.open('/billing')
    await page.getByText('20 started per UTC month').waitFor()
    const level = page.getByText('The monthly quota is used up, and overage has begun')
    await level.waitFor()
    expect(await level.count(), 'said once').to.equal(1)
    await user.open('/settings')
    await level.waitFor()
    await page.getByRole('button', { name: 'Dismiss the quota warning' }).waitFor()
  })

  it('names how the operator is reached, where that is known', async () => {
    const operator = page.getByText(/^Contact the operator of this service/)
    await user.open('/billing')
    await operator.waitFor()
    expect(await operator.textContent()).to.equal('Contact the operator of this service')
    await page.route(/billing\.get/, async (route: Route) => {
      const response = await route.fetch()
      const { result } = await response.json()
      const data = { ...result.data, contact: 'operator@example.com' }
      await route.fulfill({ response, json: { result: { data } } })
    })
    await user.open('/billing')
    const link = page.getByRole('link', { name: 'operator@example.com' })
    expect(await link.getAttribute('href')).to.equal('mailto:operator@example.com')
    await page.unroute(/billing\.get/)
  })

  it('saves the signed evidence of a month, also for a viewer', async () => {
    const viewer = await fixture.user('viewer', { path: '/billing' })
    await viewer.page.getByRole('button', { name: 'Evidence' }).click()
    expect(await viewer.accessibilityViolations()).to.deep.equal([])
    const started = viewer.page.waitForEvent('download')
    await viewer.page.getByRole('menuitem').nth(1).click()
    const download = await started
    expect(download.suggestedFilename()).to.match(/^demo-evidence-\d{4}-\d\d\.jwt$/)
    const jws = readFileSync(await download.path(), 'utf8')
    const { body: jwks } = await call(`${fixture.service.baseUrl}/test/.well-known/jwks.json`)
    const kept = { issuer: `${fixture.service.baseUrl}/test`, audience: fixture.tenantId, jwks }
    expect(await verifyEvidence(jws, kept)).to.include({ valid: true })
    await viewer.page.getByText('The month is not over').waitFor()
  })

  it('says on every page that the quota is reached, and cannot be dismissed', async () => {
    await plan('--monthly-quota', '6', '--hard-limit', '20', '--overage', 'false')
    const viewer = await fixture.user('viewer')
    for (const member of [viewer, user]) {
      await member.open('/settings')
      const banner = member.page.getByRole('status').filter({ hasText: 'new verifications are rejected' })
      await banner.getByText('QUOTA_EXCEEDED').waitFor()
      await banner.getByText('An owner gets a larger plan from the operator').waitFor()
      expect(await banner.getByRole('button').count()).to.equal(0)
      await member.open('/overview')
      expect(await member.page.getByText('new verifications are rejected').count(), 'said once').to.equal(1)
    }
  })

  it('says in its first line what is unusual, with a link to it, and no longer offers the first steps first', async () => {
    await plan('--monthly-quota', '100000', '--hard-limit', '200000')
    await operate(fixture.service, 'demo', 'seed', '--tenant', fixture.tenantId, '--verifications', '400')
    await setWeeks({ approved: 90, denied: 10 }, { approved: 60, denied: 40 })
    await user.open('/overview')
    const answer = page.getByRole('status').filter({ hasText: 'More users than usual are denied' })
    await answer.getByText(/ 40\.0%, normal for \w+days is 0\.0–20\.\d%/).waitFor()
    expect(await page.getByRole('navigation').getByRole('link').first().textContent()).to.equal('Overview')
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await answer.getByRole('link', { name: 'Denied verifications' }).click()
    const [from, to] = [day, dayOf()]
    await expectList(...[from, to].map(on => `status=denied&from=${on}&to=${on}&by=completed&zone=utc`))
  })

  it('moves nothing while it loads, whatever is unusual and whichever response is the last', async () => {
    await user.setWidth(375)
    for (const last of ['unusual', 'summary', 'denials']) {
      const release = await holdResponses(page, `usage.${last}`)
      await user.openHeading('/overview')
      await chart().first().waitFor({ state: 'attached' })
      release()
      await user.loaded()
      expect(await user.layoutShift(), last).to.be.below(0.005)
      await page.unrouteAll()
    }
    await user.setWidth(1_280)
  })

  it('says for which reasons users are denied, with links to their verifications', async () => {
    // More often than others: the most frequent reasons have a name.
    for (let count = 0; count < 4; count++) {
      await verify(fixture, 'open', 'submit', { outcome: 'decline', reasonCode: '102' })
    }
    const today = dayOf()
    const from = daysAfter(-6)
    await user.open(`/overview?from=${from}&to=${today}`)
    const denials = page.getByRole('region', { name: 'Why users are denied' })
    const reason = denials.getByRole('listitem').filter({ hasText: 'Document tampered with' })
    expect(await reason.textContent()).to.match(/^Document tampered with \d+ \(\d+(\.\d)?%\)$/)
    const segment = chart('Why users are denied').locator('[data-count]').last()
    expect((await segment.boundingBox())!.width).to.be.above(6)
    const colorOf = () =>
      reason
        .locator('[class*=swatch]')
        .evaluate(swatch => swatch.ownerDocument.defaultView!.getComputedStyle(swatch).backgroundColor)
    const color = await colorOf()
    await reason.getByRole('link').click()
    await expectList(`status=denied&reason=102&from=${from}&to=${today}&by=completed&zone=utc`)
    for (const days of [30, 120]) {
      await user.goTo(`/overview?from=${daysAfter(-days)}&to=${today}`, title)
      await reason.waitFor()
      expect(await colorOf(), `of the same reason in ${days} days`).to.equal(color)
    }
    await setDays([daysAfter(-200)], { approved: 1, denied: 3 })
    await user.goTo(`/overview?from=${daysAfter(-200)}&to=${daysAfter(-200)}`, title)
    await denials.getByText('The reasons of 3 denials were deleted with their verifications.').waitFor()
  })

  it('opens the other reasons with their shares, and saves all of them with their counts', async () => {
    for (const reasonCode of ['104', '112', '207', '539']) {
      await verify(fixture, 'open', 'submit', { outcome: 'decline', reasonCode })
    }
    await user.open(`/overview?from=${daysAfter(-27)}&to=${dayOf()}`)
    const denials = page.getByRole('region', { name: 'Why users are denied' })
    const rare = denials.getByRole('link', { name: 'Document expired' })
    expect(await rare.isVisible()).to.equal(false)
    await denials.locator('summary', { hasText: 'Other reasons' }).press('Enter')
    await rare.waitFor()
    expect(await user.accessibilityViolations()).to.deep.equal([])
    const entries = await denials.locator('li:not(:has(details))').allTextContents()
    const shown = entries.map(entry => / ([\d,]+) \(/.exec(entry)![1])
    const downloading = page.waitForEvent('download')
    await denials.getByRole('button', { name: 'Export CSV' }).click()
    const csv = readFileSync(await (await downloading).path(), 'utf8')
    const [header, ...rows] = csv.trim().split('\r\n')
    expect(header).to.match(/reasonCode,reason,denied,share,sampledOneIn$/)
    expect(rows.map(row => row.split(',').at(-3))).to.deep.equal(shown)
    expect(rows.find(row => row.startsWith('207,'))).to.match(/^207,Document expired,1,0\.\d+,1$/)
    await rare.click()
    await expectList(`status=denied&reason=207&from=${daysAfter(-27)}&to=${dayOf()}&by=completed&zone=utc`)
  })

  it('leads from a list of created or local times to what the overview counts', async () => {
    await user.open('/verifications?view=denied&period=30d')
    const link = page.getByRole('link', { name: 'The overview counts by completion' })
    await link.click()
    await link.waitFor({ state: 'hidden' })
    await expectList('period=30d&by=completed&zone=utc&view=denied')
  })

  /** Changes the plan, which only this tenant has. */
  function plan(...options: string[]) {
    return operate(fixture.service, 'plan', 'set', '--name', fixture.tenantId, ...options)
  }

  function setDays(days: string[], results: DayResults) {
    return setUsageDays(fixture.service, fixture.tenantId, days, results)
  }

  /** The UTC day that is some days later than that of the decisions. */
  function daysAfter(count: number): string {
    return dayOf(Date.parse(day) + count * dayMs)
  }

  /** Sets the results of today, and of its weekday in the four weeks before: also if midnight passes meanwhile. */
  async function setWeeks(before: DayResults, today: DayResults) {
    const both = [day, daysAfter(1)]
    const earlier = [1, 2, 3, 4].flatMap(week => [daysAfter(-7 * week), daysAfter(1 - 7 * week)])
    await setDays(both, today)
    await setDays(earlier, before)
  }

  /** The text of a metric. */
  async function metric(name: string): Promise<string> {
    const metrics = page.getByRole('region', { name: 'Key metrics' }).locator('dl')
    return (await metrics.filter({ has: page.getByText(name, { exact: true }) }).textContent()) ?? ''
  }

  function chart(region = 'Results') {
    return page.getByRole('region', { name: region, includeHidden: true }).locator('[data-day]')
  }

  /** Several queries only differ if midnight passed meanwhile. */
  async function expectList(...queries: string[]): Promise<void> {
    await page.getByRole('heading', { level: 1, name: 'Verifications' }).waitFor()
    expect(new URL(page.url()).search).to.be.oneOf(queries.map(query => `?${query}`))
  }
})
