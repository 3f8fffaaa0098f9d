import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { attentionOf } from '../../dashboard/src/api-keys/attention.ts'
import { eventually } from '../harness/eventually.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { tryToCloseTab } from './browser/close-tab.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'

const unknown = '01a00000-0000-7000-8000-000000000000'

describe(browserTitle('API keys in the dashboard'), function () {
  this.timeout(60_000)
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
    await page.getByRole('button', { name: 'Replace Shop' }).click()
    const dialog = page.getByRole('dialog', { name: 'Replace "Shop"?' })
    await dialog.getByRole('radio', { name: 'For 7 days' }).check()
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await dialog.getByRole('button', { name: 'Replace key' }).click()
    const value = (await box.textContent()) ?? ''
    expect(await focused()).to.equal('API key, as text')
    expect(value).not.to.equal(old)
    expect([await statusWith(old), await statusWith(value)]).to.deep.equal([404, 404])
    await page.getByRole('button', { name: "I've stored the key" }).click()
    await rows('Shop').filter({ hasText: 'Expires in 6 days' }).waitFor()
    expect(await rows('Shop').count()).to.equal(2)
  })

  it('leave the list when they are revoked, which begins with the focus on Cancel and ends with it on the list', async () => {
    const value = await create('Leaked')
    await page.getByRole('button', { name: "I've stored the key" }).click()
    await page.getByRole('button', { name: 'Revoke Leaked' }).click()
    await page.locator('button:focus', { hasText: 'Cancel' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
    await rows('Leaked').waitFor({ state: 'detached' })
    await eventually(focused, { until: label => label === 'API keys' })
    expect(await statusWith(value)).to.equal(401)
    await page.getByRole('tab', { name: 'Revoked and expired' }).click()
    await page
      .getByRole('table', { name: 'Ended API keys' })
      .getByRole('row')
      .filter({ hasText: 'Leaked' })
      .getByText('Revoked')
      .waitFor()
    expect(new URL(page.url()).search).to.equal('?state=ended')
    await page.getByRole('tab', { name: 'Active' }).click()
  })

  it('show how many requests each had, and those of a key by day and kind', async () => {
    // Counts are written every 10 seconds.
    await eventually(
      async () => {
        await user.open('/api-keys')
        return (await rows('demo').textContent()) ?? ''
      },
      { until: text => /tokens:validate2/.test(text), timeoutMs: 30_000 },
    )
    await page.getByRole('link', { name: 'demo' }).click()
    const panel = page.getByRole('dialog', { name: 'API key' })
    const today = panel.getByRole('table', { name: 'Requests by day' }).getByRole('row').nth(1)
    await today.waitFor()
    expect(await today.getByRole('cell').allTextContents()).to.deep.include.members(['2', '1', '0'])
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
})

describe('What the dashboard says about an API key', () => {
  const now = Date.parse('2026-11-22T12:00:00Z')
  const key = { createdAt: '2026-01-01T00:00:00Z', lastUsedAt: '2026-11-22T11:00:00Z', expiresAt: null }

  it('is nothing for one in use', () => {
    expect(attentionOf(key, now)).to.equal(undefined)
    expect(attentionOf({ ...key, expiresAt: '2027-11-22T12:00:00Z' }, now)).to.equal(undefined)
  })

  it('is when it expires, two weeks ahead', () => {
    expect(attentionOf({ ...key, expiresAt: '2026-11-27T12:00:00Z' }, now)).to.equal('Expires in 5 days')
    expect(attentionOf({ ...key, expiresAt: '2026-11-23T13:00:00Z' }, now)).to.equal('Expires in 1 day')
    expect(attentionOf({ ...key, expiresAt: '2026-11-22T13:00:00Z' }, now)).to.equal('Expires within a day')
  })

  it('is that it is unused for 30 days, since its creation if it never was', () => {
    expect(attentionOf({ ...key, lastUsedAt: '2026-10-23T12:00:00Z' }, now)).to.equal('Unused for 30 days')
    expect(attentionOf({ ...key, lastUsedAt: null }, now)).to.equal('Unused for 30 days')
    expect(attentionOf({ ...key, lastUsedAt: null, createdAt: '2026-11-20T00:00:00Z' }, now)).to.equal(
      undefined,
    )
  })
})
