import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { describeAttention } from '../../dashboard/src/api-keys/attention.ts'
import { eventually } from '../harness/eventually.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { tryToCloseTab } from './browser/close-tab.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'
import { fillKeys } from './browser/tenants.ts'

const unknown = '01a00000-0000-7000-8000-000000000000'

describe(browserTitle('API keys in the dashboard'), () => {
  const fixture = dashboardFixture()
  let user: DashboardUser
  let page: Page
  let box: Locator
  before(async () => {
    const tenant = tenantClient(fixture.service, fixture)
    await tenant.start()
    await tenant.status(unknown)
    user = await fixture.user('owner', { path: '/api-keys' })
    page = user.page
    box = page.getByRole('region', { name: 'API key, as text' })
  })

  const focused = () => page.evaluate<string | null>('document.activeElement.ariaLabel')
  const rows = (name: string) =>
    page.getByRole('table', { name: 'API keys' }).getByRole('row').filter({ hasText: name })

  async function choose(action: 'Replace' | 'Revoke', name: string): Promise<void> {
    await rows(name).getByRole('link', { name }).click()
    await page.getByRole('dialog', { name: 'API key' }).getByRole('button', { name: action }).click()
  }

  const closePanel = async () => {
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'API key' }).waitFor({ state: 'hidden' })
  }

  async function create(name: string): Promise<string> {
    await page.getByRole('button', { name: 'Create API key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await dialog.getByRole('button', { name: 'Create API key' }).click()
    return (await box.textContent()) ?? ''
  }

  async function statusWith(apiKey: string): Promise<number> {
    return (await tenantClient(fixture.service, { apiKey }).status(unknown)).status
  }

  it('move the focus to a new key, and ask before it is lost by Escape or Back', async () => {
    await page.getByRole('link', { name: 'Billing' }).click()
    await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor()
    await page.getByRole('link', { name: 'API keys' }).click()
    const value = await create('Till')
    expect(value).to.match(/^avk_/)
    expect(await focused()).to.equal('API key, as text')
    await page.keyboard.press('Escape')
    await page.getByText('Have you stored the key?').waitFor()
    expect(await user.clippedFocusRings()).to.deep.equal([])
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await page.getByRole('button', { name: 'Back to the key' }).and(page.locator(':focus')).click()
    await page.getByRole('button', { name: "I've stored the key" }).waitFor()
    expect(await focused()).to.equal('API key, as text')

    await page.evaluate('history.back()')
    await page.getByText('Have you stored the key?').waitFor()
    expect(await box.textContent()).to.equal(value)
    await page.getByRole('button', { name: 'Close anyway' }).click()
    await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor()
    await page.getByRole('link', { name: 'API keys' }).click()
  })

  it('ask before a new one is lost with the tab, and are replaced by one that works beside the old one', async () => {
    const old = await create('Shop')
    expect(await tryToCloseTab(page)).to.equal('beforeunload')
    await page.getByRole('button', { name: "I've stored the key" }).click()
    await choose('Replace', 'Shop')
    const dialog = page.getByRole('dialog', { name: 'Replace "Shop"?' })
    await dialog.getByLabel('The old key works').selectOption('For 7 days')
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await dialog.getByRole('button', { name: 'Replace key' }).click()
    const value = (await box.textContent()) ?? ''
    expect(await focused()).to.equal('API key, as text')
    expect(value).not.to.equal(old)
    expect([await statusWith(old), await statusWith(value)]).to.deep.equal([404, 404])
    await page.getByRole('button', { name: "I've stored the key" }).click()
    const panel = page.getByRole('dialog', { name: 'API key' })
    await panel.getByText(value.slice(0, 16)).waitFor()
    await closePanel()
    await rows('Shop').filter({ hasText: 'Expires in 7 days' }).waitFor()
    expect(await rows('Shop').count()).to.equal(2)
  })

  it('leave the list when they are revoked, which begins with the focus on Cancel and ends with it on the panel', async () => {
    const value = await create('Leaked')
    await page.getByRole('button', { name: "I've stored the key" }).click()
    await choose('Revoke', 'Leaked')
    await page.locator('button:focus', { hasText: 'Cancel' }).waitFor()
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
    const panel = page.getByRole('dialog', { name: 'API key' })
    await panel.and(page.locator(':focus')).getByText('Revoked', { exact: true }).first().waitFor()
    await eventually(() => panel.getByRole('button', { name: 'Revoke' }).count(), {
      until: count => count === 0,
    })
    await closePanel()
    await rows('Leaked').waitFor({ state: 'detached' })
    expect(await statusWith(value)).to.equal(401)
    await page.getByRole('link', { name: 'Revoked and expired' }).click()
    await page
      .getByRole('table', { name: 'Ended API keys' })
      .getByRole('row')
      .filter({ hasText: 'Leaked' })
      .getByText('Revoked')
      .waitFor()
    expect(new URL(page.url()).search).to.equal('?state=ended')
    await page.getByRole('link', { name: 'Active', exact: true }).click()
  })

  it('are found by a part of their name and by their whole value, which is not sent', async () => {
    const value = await create('Nordic kiosk')
    await page.getByRole('button', { name: "I've stored the key" }).click()
    const search = page.getByRole('searchbox', { name: 'Search keys' })
    const requests: string[] = []
    page.on('request', request => requests.push(request.url()))
    for (const text of ['KIOSK', value, value.slice(10, 16), `${value.slice(0, 16)}…`]) {
      await search.fill(text)
      await rows('demo').waitFor({ state: 'detached' })
      await rows('Nordic kiosk').waitFor()
    }
    await search.fill('nothing of the kind')
    await page.getByText('No results').waitFor()
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await page.getByRole('button', { name: 'Clear search' }).click()
    await rows('demo').waitFor()
    expect(requests.filter(url => url.includes(value.slice(0, 12)))).to.deep.equal([])
  })

  it('say why they cannot be changed to a member who may not, in the panel of each', async () => {
    const viewer = await fixture.user('viewer', { path: '/api-keys' })
    await viewer.page.getByRole('link', { name: 'demo' }).click()
    const replace = viewer.page.getByRole('button', { name: 'Replace' })
    expect(await replace.getAttribute('aria-description')).to.contain(
      "The viewer role can't create or revoke",
    )
    // Playwright waits for what is disabled to be enabled.
    await replace.click({ force: true })
    expect(await viewer.page.getByRole('dialog').count()).to.equal(1)
    expect(await viewer.accessibilityViolations()).to.deep.equal([])
  })

  it('show when they were last used, and open in a panel that has a URL of its own', async () => {
    // The last use is written about a second later.
    await eventually(
      async () => {
        await user.open('/api-keys')
        return await rows('demo').getByRole('cell').nth(2).textContent()
      },
      { until: lastUsed => lastUsed !== 'Never' },
    )
    await page.getByRole('link', { name: 'demo' }).click()
    const panel = page.getByRole('dialog', { name: 'API key' })
    await panel.getByRole('heading', { name: 'demo' }).waitFor()
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
    await page.locator('a:focus', { hasText: 'demo' }).waitFor()
    await page.getByRole('link', { name: 'demo' }).click()
    await page.reload()
    await panel.getByRole('heading', { name: 'demo' }).waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
    expect(new URL(page.url()).search).to.equal('')
  })

  it('end with the last day that was chosen, which cannot have passed', async () => {
    await page.getByRole('button', { name: 'Create API key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Season')
    for (const day of ['2020-01-01', '2031-03-04']) {
      await dialog.getByLabel('Last day').fill(day)
      await dialog.getByRole('button', { name: 'Create API key' }).click()
      if (day < '2026') await dialog.getByText('Choose a day in the future.').waitFor()
    }
    await page.getByRole('button', { name: "I've stored the key" }).click()
    await rows('Season').filter({ hasText: 'Mar 4, 2031' }).waitFor()
  })

  it('say before any form that the tenant has as many as it can have, and one can still be replaced at once', async () => {
    await fillKeys(fixture.service, fixture.tenantId)
    await user.open('/api-keys')
    const button = page.getByRole('button', { name: 'Create API key' })
    await page.getByText('This tenant has 100 active keys, the maximum.').waitFor()
    expect(await button.getAttribute('aria-disabled')).to.equal('true')
    await page.getByRole('searchbox', { name: 'Search keys' }).fill('demo')
    await choose('Replace', 'demo')
    const dialog = page.getByRole('dialog')
    const overlap = dialog.getByLabel('The old key works')
    expect(await overlap.isDisabled()).to.equal(true)
    expect(await overlap.locator('option:checked').textContent()).to.contain('Not any more')
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await dialog.getByRole('button', { name: 'Replace key' }).click()
    const value = (await box.textContent()) ?? ''
    expect(await statusWith(value)).to.equal(404)
    expect(await statusWith(fixture.apiKey)).to.equal(401)
    await page.getByRole('button', { name: "I've stored the key" }).click()
  })
})

describe('What the dashboard says about API keys', () => {
  const now = Date.parse('2026-11-22T12:00:00Z')
  const times = { createdAt: '2026-01-01T00:00:00Z', lastUsedAt: '2026-11-22T11:00:00Z', expiresAt: null }
  const attention = (changes: Partial<Record<keyof typeof times, string | null>>) =>
    describeAttention({ ...times, ...changes } as typeof times, now)

  it('is nothing for one in use', () => {
    expect(attention({})).to.equal(undefined)
    expect(attention({ expiresAt: '2027-11-22T12:00:00Z' })).to.equal(undefined)
  })

  it('is when it expires, two weeks ahead', () => {
    expect(attention({ expiresAt: '2026-11-27T12:00:00Z' })).to.equal('Expires in 5 days')
    expect(attention({ expiresAt: '2026-11-23T13:00:00Z' })).to.equal('Expires in 1 day')
    expect(attention({ expiresAt: '2026-11-22T13:00:00Z' })).to.equal('Expires within a day')
  })

  it('is that it is unused for 90 days, since its creation if it never was', () => {
    expect(attention({ lastUsedAt: '2026-08-24T12:00:00Z' })).to.equal('Unused for 90 days')
    expect(attention({ lastUsedAt: null })).to.equal('Unused for 90 days')
    expect(attention({ lastUsedAt: null, createdAt: '2026-11-20T00:00:00Z' })).to.equal(undefined)
  })
})
