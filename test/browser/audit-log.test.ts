import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { addMember, operate } from '#test/harness/processes/operate.ts'
import { eventually } from '../harness/eventually.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'
import { verify } from './browser/verify.ts'

const longSubject = 'auth0|5f7c8ec7c33c6c004bbafe82-a-long-subject-of-a-provider-with-many-tenants'

describe(browserTitle('the audit log in the dashboard'), () => {
  const fixture = dashboardFixture()
  let user: DashboardUser
  let page: Page
  let verificationId: string
  before(async () => {
    await addMember(fixture.service, fixture.tenantId, longSubject, 'developer')
    verificationId = await verify(fixture, 'open', 'submit', { outcome: 'approve-adult' })
    user = await fixture.user('owner', { path: '/audit-log' })
    page = user.page
  })

  const rows = () => page.getByRole('table', { name: 'Audit log' }).locator('tbody tr')

  it('shows what the user has just done, by name and in words', async () => {
    await rows().first().waitFor()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Corner shop')
    await page.getByRole('button', { name: 'Save name' }).click()
    await page.getByText('Name saved.').waitFor()
    await page.getByRole('link', { name: 'Audit log' }).click()
    const row = rows().filter({ hasText: 'Renamed the tenant' })
    await row.waitFor()
    expect(await row.textContent())
      .to.contain('Demo → Corner shop')
      .and.contain(`${user.subject} (you)`)
  })

  it('is filtered by actor, action and time in its URL, which a reload keeps', async () => {
    await page.getByLabel('Action').selectOption('Created an API key')
    await eventually(() => rows().allTextContents(), {
      until: texts => texts.length > 0 && texts.every(text => text.includes('Created an API key')),
    })
    expect(new URL(page.url()).search).to.equal('?action=api_key.create')
    await page.reload()
    await user.loaded()
    expect(await rows().count()).to.equal(1)
    await page.getByLabel('Actor').selectOption({ label: user.subject })
    await page.getByText('No results').waitFor()
    await page.getByRole('search').getByRole('button', { name: 'Clear filters' }).press('Enter')
    await page.getByLabel('Actor').and(page.locator(':focus')).waitFor()
    await page.getByLabel('Time').selectOption('Last month')
    await page.getByText('No results').waitFor()
    expect(new URL(page.url()).search).to.equal('?period=last-month')
    await page.getByLabel('Time').selectOption('Last 7 days')
    await rows().nth(1).waitFor()
    await page.getByLabel('Time').selectOption('Between …')
    await rows().nth(1).waitFor()
    await page.getByLabel('Time').selectOption('Last month')
    await page.getByLabel('Time').selectOption('Between …')
    const from = page.getByLabel('From', { exact: true })
    await eventually(() => from.inputValue(), { until: value => value.endsWith('-01T00:00') })
    await page.getByLabel('To', { exact: true }).fill('2026-01-31T10:00')
    await page.getByText('The first time is after the last').waitFor()
    expect(await user.accessibilityViolations()).to.deep.equal([])
  })

  it('is searched by IDs out of any text that is pasted, names of keys and IP addresses', async () => {
    await user.open('/audit-log')
    const field = page.getByRole('searchbox', { name: 'Search' })
    const end = fixture.tenantId.slice(-8)
    for (const [text, found] of [
      [`…${end}`, end],
      [` ID: ${fixture.tenantId} `, fixture.tenantId],
    ] as const) {
      await field.fill(text)
      await page.waitForURL(url => url.searchParams.get('search') === found)
      await eventually(() => field.inputValue(), { until: value => value === found })
      await rows().filter({ hasText: 'Created the tenant' }).waitFor()
    }
    await field.fill(longSubject)
    await rows().filter({ hasText: 'Added a member' }).waitFor()
    expect(await field.inputValue()).to.equal(longSubject)
    await field.fill('DEMO')
    await rows().filter({ hasText: 'Created an API key: demo' }).waitFor()
    await field.fill('127.0.0.1')
    await rows().filter({ hasText: 'Renamed the tenant' }).waitFor()
    expect(await field.inputValue()).to.equal('127.0.0.1')
    await field.fill('')
    await page.waitForURL(url => url.search === '')
  })

  it('keeps keys, secrets and tokens out of URLs that are pasted into a search by mistake, as the list of verifications does', async () => {
    const { token } = (await tenantClient(fixture.service, fixture).status(verificationId)).body
    const urls: string[] = []
    page.on('request', request => urls.push(request.url()))
    for (const [path, name] of [
      ['/audit-log', 'Search'],
      ['/verifications', 'Search by ID'],
    ] as const) {
      await user.open(path)
      const field = page.getByRole('searchbox', { name })
      for (const secret of [fixture.apiKey, `whsec_${'s'.repeat(43)}`, token]) {
        await field.fill(`key: ${secret}`)
        await page.waitForURL(url => url.searchParams.has('search'))
        // The field follows the URL, which takes away what is selected.
        await eventually(async () => !(await field.inputValue()).includes(secret))
        await field.fill('')
        await page.waitForURL(url => !url.searchParams.has('search'))
        for (const url of urls) expect(url).not.to.contain(secret.slice(-20))
      }
    }
    page.removeAllListeners('request')
  })

  it('shows everything about an event beside the log, by a link of its own', async () => {
    await user.open('/audit-log?action=tenant.create')
    const panel = page.getByRole('dialog', { name: 'Audit event' })
    const row = rows().filter({ hasText: 'Created the tenant' })
    const href = () => row.getByRole('link').first().getAttribute('href')
    expect(await href()).to.match(/\?action=tenant\.create&event=[\da-f-]{36}$/)
    await page.getByRole('search').getByRole('button', { name: 'Clear filters' }).click()
    await rows().nth(1).waitFor()
    await row.getByRole('cell').last().click()
    await panel.getByText('Target ID').waitFor()
    const said = (await panel.textContent()) ?? ''
    const auditEventId = new URL(page.url()).searchParams.get('event')!
    expect(said).to.match(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/)
    for (const part of [auditEventId, fixture.tenantId, 'tenant.create', 'Not recorded']) {
      expect(said).to.contain(part)
    }
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await panel.getByRole('button', { name: 'Copy event as JSON' }).click()
    const copied = await eventually(() => page.evaluate<string>('navigator.clipboard.readText()'), {
      until: text => text.startsWith('{'),
    })
    expect(JSON.parse(copied)).to.include({ auditEventId, target: fixture.tenantId })
    await page.keyboard.press('k')
    await panel.getByText(auditEventId, { exact: true }).waitFor({ state: 'hidden' })
    await page.keyboard.press('j')
    await panel.getByText(auditEventId, { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
    const link = row.getByRole('link').first()
    await link.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('k')
    await link.and(page.locator(':not(:focus)')).waitFor()
    await page.keyboard.press('j')
    await link.and(page.locator(':focus')).waitFor()
    // On a page of the log that doesn't list it.
    await user.open(`/audit-log?action=member.add&event=${auditEventId}`)
    await panel.getByRole('heading', { name: 'Created the tenant' }).waitFor()
    await panel.getByRole('link', { name: 'Its other events' }).click()
    await page.waitForURL(url => url.search === `?search=${fixture.tenantId}`)
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('dialog', { name: 'Search' }).getByRole('textbox').fill(auditEventId)
    await page.getByRole('option', { name: 'Find this ID in the audit log' }).click()
    await page.waitForURL(url => url.search === `?search=${auditEventId}`)
    await eventually(() => rows().allTextContents(), {
      until: texts => texts.length === 1 && texts[0]!.includes('Created the tenant'),
    })
    await user.open(`/audit-log?event=${fixture.tenantId}`)
    await panel.getByText('No event of the audit log has the id').waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
  })

  it('leads to the key, the member and the verification that an event is about', async () => {
    await user.open('/audit-log?action=api_key.create')
    await rows().getByRole('link', { name: 'demo' }).click()
    await page.getByRole('dialog', { name: 'API key' }).getByRole('heading', { name: 'demo' }).waitFor()
    await operate(fixture.service, 'token', 'revoke', '--verification', verificationId)
    await user.open('/audit-log?action=token.revoke')
    expect(await rows().first().textContent()).not.to.contain('Token ID')
    await rows()
      .getByRole('link', { name: `…${verificationId.slice(-8)}` })
      .click()
    await page.getByRole('dialog', { name: 'Verification' }).waitFor()
    await user.open('/audit-log?action=member.add')
    await rows().getByRole('link', { name: user.subject }).click()
    await page.getByRole('table', { name: 'Members' }).waitFor()
  })
})
