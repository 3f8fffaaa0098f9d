import { expect } from 'chai'
import type { Locator, Page, Route } from 'playwright-core'
import { operate } from '#test/harness/processes/operate.ts'
import { eventually } from '../harness/eventually.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'
import { paintedColors } from './browser/painted-colors.ts'
import { verify } from './browser/verify.ts'

const title = 'Overview · Age verification'
const dayMs = 86_400_000

/** The UTC day of a time, by default of now. */
const dayOf = (time = Date.now()) => new Date(time).toISOString().slice(0, 10)

describe(browserTitle('the overview and the quota of a tenant'), function () {
  this.timeout(60_000)
  const fixture = dashboardFixture()
  let user: DashboardUser
  let page: Page
  /** The day of the decisions, which the chart ends with also after midnight. */
  let day: string
  const week = () => `/overview?from=${dayOf(Date.parse(day) - 6 * dayMs)}&to=${day}`
  before(async () => {
    await plan()
    await operate(
      fixture.service,
      'tenant',
      'set-plan',
      '--tenant',
      fixture.tenantId,
      '--plan',
      fixture.tenantId,
    )
    await verify(fixture)
    await verify(fixture, 'open', { outcome: 'abandon' })
    for (const outcome of ['approve-adult', 'approve-adult', 'approve-minor', 'decline']) {
      await verify(fixture, 'open', 'submit', { outcome })
    }
    day = dayOf()
    user = await fixture.user('owner')
    ;({ page } = user)
  })

  it('says how many users are 18 or over, and how many give up', async () => {
    await user.open('/overview')
    expect(await metric('Started')).to.contain('6')
    expect(await metric('Approval rate'))
      .to.contain('75%')
      .and.contain('3 of 4 decided')
    expect(await metric('18+ rate'))
      .to.contain('66.7%')
      .and.contain('2 of 3 approved')
    expect(await metric('Completion rate'))
      .to.contain('80%')
      .and.contain('4 of 5 ended')
    expect(await metric('Median time')).to.match(/\d+\ss/)
    const funnel = page.getByRole('region', { name: 'Where users give up' })
    expect(await funnel.getByRole('listitem').allTextContents()).to.deep.equal([
      'Ended 5 (100%)',
      'Opened 5 (100%)0 (0%) never opened it',
      'Submitted 4 (80%)1 (20%) left before submitting',
      'Decided 4 (80%)0 (0%) had no decision',
    ])
    await funnel.getByRole('link', { name: '1 not opened yet' }).waitFor()
    const ages = page.getByRole('region', { name: 'Approved by age' })
    expect(await ages.getByRole('listitem').allTextContents()).to.deep.equal([
      '18+ 2 (66.7%)',
      'Under 18 1 (33.3%)',
      'Age unknown 0 (0%)',
    ])
  })

  it('says that there is nothing to compare with', async () => {
    await user.goTo('/overview', title)
    expect(await metric('Approval rate')).to.contain('No comparison: nothing in ')
    expect(await page.getByText(' points').count()).to.equal(0)
  })

  it('opens the list of what a bar, a legend entry or a number of the table stands for', async () => {
    const onDay = `from=${day}&to=${day}&by=completed&zone=utc`
    await user.goTo(week(), title)
    await chart().locator('a[href*="status=approved"]').last().click()
    await expectList(`status=approved&${onDay}`)
    await eventually(() => page.locator('tbody tr').count(), { until: count => count === 3 })
    await user.goTo(week(), title)
    await page.getByText('Show as table').click()
    const today = page.getByRole('table', { name: 'Results per day' }).getByRole('row').nth(1)
    await today.getByRole('cell').nth(8).getByRole('link', { name: '1' }).press('Enter')
    await expectList(`status=approved&over18=no&${onDay}`)
    const earlier = dayOf()
    await user.goTo('/overview?range=month&chart=age', title)
    const legend = page.getByRole('region', { name: 'Results per day' })
    await legend.getByRole('link', { name: 'Age unknown' }).click()
    const monthUntil = (to: string) => `from=${to.slice(0, 7)}-01&to=${to}&by=completed&zone=utc`
    const months = [earlier, dayOf()].map(to => `status=approved&over18=unknown&${monthUntil(to)}`)
    await expectList(...months)
  })

  it('shows the numbers of a day in a tooltip of its bar, which is no tab stop', async () => {
    await user.goTo(week(), title)
    await chart().locator('a[href*="status=denied"]').last().hover()
    await page.getByRole('tooltip').getByText('Denied 1').waitFor()
    expect(await chart().locator('a:not([tabindex="-1"])').count()).to.equal(0)
    expect(await user.accessibilityViolations()).to.deep.equal([])
  })

  it('can be seen where the colours of the system are forced, in both themes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ forcedColors: 'active', colorScheme })
      await user.goTo('/overview?range=7d', title)
      await expectSeen('a time range', page.getByRole('combobox', { name: 'Time range (UTC)' }))
      await expectSeen('a bar', chart().locator('a[style]:visible'))
      await expectSeen('a part of the ages', page.locator('.mantine-Progress-section'))
      const legend = page.getByRole('region', { name: 'Results per day' }).locator('[class*=swatch]')
      const swatches = await expectSeen('a swatch', legend)
      expect(new Set(swatches.map(String)).size, 'different swatches').to.equal(5)
      await expectChoiceSeen(segments('Shown in the chart'), '[data-active]')
      await user.goTo('/billing', 'Billing · Age verification')
      await expectSeen('a meter', page.locator('.mantine-Progress-root'))
      await expectSeen('what is used of it', page.locator('.mantine-Progress-section'))
      await user.goTo('/verifications', 'Verifications · Age verification')
      await expectSeen('a status', page.getByRole('table').locator('.mantine-Badge-root'))
      await expectChoiceSeen(segments('Open or completed'), '[data-active]')
      await user.goTo('/settings', 'Settings · Age verification')
      const tabs = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
      await expectChoiceSeen(tabs, '[aria-current=page]')
    }
    await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' })
  })

  it('keeps the time range in the URL, and says why a range has no metrics', async () => {
    await user.goTo('/overview?range=7d', title)
    await page.getByRole('combobox', { name: 'Time range (UTC)' }).selectOption('Last month')
    await page.getByText('No verification ended in this period.').waitFor()
    await page.reload()
    await user.loaded()
    expect(new URL(page.url()).search).to.equal('?range=last-month')
    await user.open('/overview?from=2026-12-01&to=2026-01-01')
    await page.getByText('The first day must not be after the last day.').first().waitFor()
    expect(await page.locator('.mantine-Skeleton-root').count()).to.equal(0)
  })

  it('dims the metrics of another time range until the right ones are loaded', async () => {
    await user.goTo('/overview?range=7d', title)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route(/usage\.summary/, async (route: Route) => {
      await released
      await route.continue()
    })
    await page.getByRole('combobox', { name: 'Time range (UTC)' }).selectOption('Last 90 days')
    await page.locator('[aria-busy="true"]', { hasText: 'Approval rate' }).waitFor()
    release()
    await page.locator('[aria-busy="false"]', { hasText: 'Approval rate' }).waitFor()
    await page.unroute(/usage\.summary/)
  })

  it('warns on every page near the quota, until the warning is dismissed', async () => {
    await plan('--monthly-quota', '7', '--hard-limit', '20')
    await user.open('/verifications')
    await page.getByText('85% of the monthly quota is used').waitFor()
    await page.getByText('Ask the operator of this service for a larger plan.').waitFor()
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await page.getByRole('button', { name: 'Dismiss the quota warning' }).click()
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
    await page.getByText('Hard limit: 20').waitFor()
    await page.getByText('The monthly quota is used up, and overage has begun', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Dismiss the quota warning' }).waitFor()
  })

  it('says on every page that the quota is reached, and cannot be dismissed', async () => {
    await plan('--monthly-quota', '6', '--hard-limit', '20', '--overage', 'false')
    const viewer = await fixture.user('viewer')
    for (const [member, advice] of [
      [viewer, 'Ask an owner of this tenant'],
      [user, 'Ask the operator'],
    ] as const) {
      await member.open('/settings')
      const banner = member.page.getByRole('status').filter({ hasText: 'new verifications are rejected' })
      await banner.getByText('QUOTA_EXCEEDED').waitFor()
      await banner.getByText(advice).waitFor()
      expect(await banner.getByRole('button').count()).to.equal(0)
    }
  })

  it('compares with the period before, in words, and no longer offers the first steps', async () => {
    await plan('--monthly-quota', '100000', '--hard-limit', '200000')
    await operate(fixture.service, 'demo', 'seed', '--tenant', fixture.tenantId, '--verifications', '400')
    await user.open('/overview?range=30d')
    expect(await metric('Started')).to.match(/[▲▼=] [+-]?[\d.]+% from [\d,]+$/)
    expect(await metric('Approval rate')).to.match(/[▲▼=] [+-]?[\d.]+ points from [\d.]+%$/)
    expect(await metric('Median time')).to.match(/[▲▼=] [+-]?\d+\s(s|min|h).* from \d+/)
    expect(await page.getByRole('link', { name: 'Get started' }).count()).to.equal(0)
  })

  /** Changes the plan, which only this tenant has. */
  function plan(...options: string[]) {
    return operate(fixture.service, 'plan', 'set', '--name', fixture.tenantId, ...options)
  }

  /** The text of a metric's card. */
  async function metric(name: string): Promise<string> {
    const card = page.locator('.mantine-Card-root').filter({ has: page.getByText(name, { exact: true }) })
    return (await card.textContent()) ?? ''
  }

  function chart() {
    return page.locator('[data-day]')
  }

  /** Returns the visible colours of each element. */
  async function expectSeen(name: string, elements: Locator): Promise<string[][]> {
    const painted = await paintedColors(elements)
    for (const { visible, name: element } of painted)
      expect(visible, `${name}: ${element}`).not.to.deep.equal([])
    return painted.map(({ visible }) => visible)
  }

  /** The chosen element shows something that the others don't. */
  async function expectChoiceSeen(elements: Locator, chosen: string): Promise<void> {
    const [shown] = await expectSeen('what is chosen', elements.and(page.locator(chosen)))
    const [other] = await paintedColors(elements.and(page.locator(`:not(${chosen})`)))
    expect(shown, other?.name).not.to.deep.equal(other?.visible)
  }

  function segments(name: string): Locator {
    return page.getByRole('radiogroup', { name }).locator('label')
  }

  /** Several queries only differ if midnight passed meanwhile. */
  async function expectList(...queries: string[]): Promise<void> {
    await page.getByRole('heading', { level: 1, name: 'Verifications' }).waitFor()
    expect(new URL(page.url()).search).to.be.oneOf(queries.map(query => `?${query}`))
  }
})
