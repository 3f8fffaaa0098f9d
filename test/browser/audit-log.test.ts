import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { addMember, operate } from '#test/harness/processes/operate.ts'
import { eventually } from '../harness/eventually.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { brokenWords } from './browser/broken-words.ts'
import { chooseUndrawn } from './browser/choose-undrawn.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'
import { verify } from './browser/verify.ts'

const longSubject = 'auth0|5f7c8ec7c33c6c004bbafe82-a-long-subject-of-a-provider-with-many-tenants'

describe(browserTitle('the audit log in the dashboard'), function () {
  this.timeout(60_000)
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

  it('has one line a row, with the role in words, and no time breaks', async () => {
    const row = rows().filter({ hasText: 'Created an API key: demo' })
    expect(await row.textContent()).to.contain('Scopes all')
    expect((await row.boundingBox())?.height).to.be.lessThan(42)
    expect(
      await rows().filter({ hasText: user.subject }).filter({ hasText: 'Added' }).textContent(),
    ).to.contain('Role Owner')
    for (const width of [1_024, 1_280]) {
      await user.setWidth(width)
      const time = rows().first().locator('time')
      await time.evaluate(element => {
        element.textContent = 'Nov\u00a026, 10:27:09\u00a0PM'
      })
      expect((await time.boundingBox())?.height, `a time at ${width} pixels`).to.be.below(20)
    }
    await user.setWidth(1_280)
  })

  it('keeps every word in one piece beside a long subject, as the list of members does', async () => {
    const cutOff = () =>
      page
        .locator('tbody .mantine-Badge-label')
        .evaluateAll(labels =>
          labels.filter(label => label.scrollWidth > label.clientWidth + 1).map(label => label.textContent),
        )
    for (const [path, title] of [
      ['/settings/members', 'Members'],
      ['/audit-log', 'Audit log'],
    ] as const) {
      await user.goTo(path, `${title} · Age verification`)
      await page.locator('tbody tr', { hasText: 'a-long-subject' }).waitFor()
      for (const width of [1_024, 375, 1_280]) {
        await user.setWidth(width)
        expect(await brokenWords(page), `${path} at ${width} pixels`).to.deep.equal([])
        expect(await cutOff(), `${path} at ${width} pixels`).to.deep.equal([])
        if (path === '/audit-log' && width === 1_280) {
          const high = await rows().evaluateAll(all =>
            all.filter(row => row.getBoundingClientRect().height >= 42).map(row => row.textContent),
          )
          expect(high, `rows of more than one line at ${width} pixels`).to.deep.equal([])
        }
      }
    }
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

  it('has each of the choices that follow one another before the page can be drawn', async () => {
    await user.open('/audit-log')
    const query = await chooseUndrawn(page, [
      ['Actor', 'Operator'],
      ['Action', 'Created the tenant'],
      ['Time', 'Last month'],
      ['Time', 'Between …'],
    ])
    const { from = '', to = '', ...others } = Object.fromEntries(query)
    expect(others).to.deep.equal({ actorKind: 'operator', action: 'tenant.create' })
    expect(from < to).to.equal(true)
    expect(from).to.match(/-01$/)
  })

  it('takes a time that is typed by its parts, and keeps the last one while a part is missing', async () => {
    await user.open('/audit-log?from=2026-11-01&to=2026-12-31')
    const field = page.getByLabel('From', { exact: true })
    const chosen = () => new URL(page.url()).searchParams.get('from')
    await field.focus()
    await page.keyboard.type('11252025', { delay: 20 })
    await page.keyboard.type('0910P', { delay: 400 })
    await eventually(chosen, { until: from => from === '2025-11-25T21:10' })
    expect(await field.inputValue()).to.equal('2025-11-25T21:10')
    await page.keyboard.press('Shift+Tab')
    await field.focus()
    await page.keyboard.press('Delete')
    await page.getByLabel('To', { exact: true }).focus()
    expect([chosen(), await field.inputValue()]).to.deep.equal(['2025-11-25T21:10', '2025-11-25T21:10'])
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
    for (const [path, field] of [
      ['/audit-log', 'Search'],
      ['/verifications', 'Search by ID'],
    ] as const) {
      await user.open(path)
      for (const secret of [fixture.apiKey, `whsec_${'s'.repeat(43)}`, token]) {
        await page.getByRole('searchbox', { name: field }).fill(`key: ${secret}`)
        await page.waitForURL(url => url.searchParams.has('search'))
        await page.getByRole('searchbox', { name: field }).fill('')
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

  it('begins with its entries on a phone, where a button tells how many filters there are', async () => {
    await user.open('/audit-log?action=tenant.provision&actorKind=service')
    await user.setWidth(375)
    const button = page.getByRole('button', { name: 'Filters (2)' })
    expect(await page.getByLabel('Actor').isVisible()).to.equal(false)
    await button.click()
    await page.getByLabel('Actor').waitFor()
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await page.getByRole('search').getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    await page.getByLabel('Actor').waitFor({ state: 'hidden' })
    expect((await rows().first().boundingBox())?.y).to.be.below(360)
    await user.setWidth(1_280)
  })

  it('has the time to the second and the IP address where everybody reads them, on a phone too', async () => {
    await user.open('/audit-log?action=tenant.rename')
    await page.getByRole('columnheader', { name: 'IP address' }).waitFor()
    for (const width of [1_280, 375]) {
      await user.setWidth(width)
      const texts = await rows().first().getByRole('cell').allTextContents()
      expect(texts.join(' ')).to.match(/[A-Z][a-z]{2}\s\d{1,2}, \d{1,2}:\d\d:\d\d\s[AP]M.*127\.0\.0\.1/)
    }
    await user.setWidth(1_280)
    await page.getByText('Times in UTC.').waitFor()
  })

  it('is read anew when its tab is looked at again', async () => {
    await user.open('/audit-log?action=settings.set_webhook_url')
    const url = 'https://hooks.example.com/elsewhere'
    await operate(fixture.service, 'tenant', 'set-webhook', '--tenant', fixture.tenantId, '--url', url)
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    await rows().filter({ hasText: url }).waitFor()
  })

  it('lists an action once, whoever can do it, and finds all of it', async () => {
    await user.open('/audit-log')
    const action = page.getByLabel('Action')
    await action.selectOption('Created the tenant')
    const labels = await action.locator('option').allTextContents()
    expect(labels).to.have.length(new Set(labels).size).and.include('Created the tenant')
    await rows().filter({ hasText: 'Created the tenant' }).waitFor()
    await user.open('/audit-log?action=tenant.provision')
    await rows().filter({ hasText: 'Created the tenant' }).waitFor()
  })

  it('ignores what is no action or kind of actor, such as a name that every object has', async () => {
    await user.open('/audit-log?action=toString&actorKind=constructor')
    await rows().filter({ hasText: 'Created the tenant' }).waitFor()
  })

  it('is exported as CSV with its filters', async () => {
    await user.open('/audit-log?action=member.add')
    const started = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const download = await started
    expect(download.suggestedFilename()).to.match(/-audit-member-add-\d{4}-\d\d-\d\d\.csv$/)
    await page.getByText('4 rows exported.').waitFor()
    await user.open('/audit-log?action=audit.export')
    await rows().first().getByText('Added a member').waitFor()
  })

  it('keeps a long URL inside its cell at every width', async () => {
    const url = `https://hooks.${'a-long-name-'.repeat(4)}of-a-shop.example/age/events/of/the/service`
    await operate(fixture.service, 'tenant', 'set-webhook', '--tenant', fixture.tenantId, '--url', url)
    await user.open('/audit-log?action=settings.set_webhook_url')
    await rows().filter({ hasText: url }).waitFor()
    for (const width of [1_280, 1_024, 375, 320]) {
      await user.setWidth(width)
      const wide = await rows()
        .locator('td li')
        .evaluateAll(
          all =>
            all.filter(({ offsetWidth, parentElement }) => offsetWidth > parentElement.offsetWidth).length,
        )
      expect(wide, `${width} pixels`).to.equal(0)
    }
    const parts = await rows()
      .first()
      .locator('td li')
      .evaluate(item => item.innerHTML.split('<wbr>'))
    expect(parts.length, 'parts between which the URL can be broken').to.be.above(5)
    await user.setWidth(1_280)
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
