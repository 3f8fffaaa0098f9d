import { createHmac } from 'node:crypto'
import { expect } from 'chai'
import type { Locator } from 'playwright-core'
import { operate } from '#test/harness/processes/operate.ts'
import { eventually } from '../harness/eventually.ts'
import { tryToCloseTab } from './browser/close-tab.ts'
import { holdResponses } from './browser/console-responses.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'

const webhookTitle = 'Webhook settings · Age verification'

describe(browserTitle('the settings in the dashboard'), () => {
  const fixture = dashboardFixture()
  let user: DashboardUser
  let field: Locator
  let save: Locator
  let tenant: string[]
  before(async () => {
    tenant = ['--tenant', fixture.tenantId]
    user = await fixture.user('owner', { path: '/settings/webhook' })
    field = user.page.getByRole('textbox', { name: 'Webhook URL' })
    save = user.page.getByRole('button', { name: 'Save URL' })
  })
  beforeEach(() => user.open('/settings/webhook'))

  /** As a colleague or the operator does it in the meantime. */
  const changeElsewhere = (url: string) =>
    operate(fixture.service, 'tenant', 'set-webhook', ...tenant, '--url', url)
  const storedUrl = async () => (await operate(fixture.service, 'tenant', 'settings', ...tenant)).webhookUrl
  const focused = () =>
    user.page.evaluate<string | null>(
      'document.activeElement.ariaLabel ?? document.activeElement.textContent',
    )

  it('say after how many days verifications are deleted, and who can change that', async () => {
    await operate(fixture.service, 'tenant', 'set-retention', ...tenant, '--days', '7')
    await user.open('/settings')
    await user.page.getByText('Verifications are deleted after 7 days. Only the operator').waitFor()
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await operate(fixture.service, 'tenant', 'set-retention', ...tenant, '--days', '400')
  })

  it('show what was changed elsewhere as soon as they are opened again, with nothing to save', async () => {
    await user.goTo('/settings', 'Settings · Age verification')
    await changeElsewhere('https://theirs.example/first')
    await user.goTo('/settings/webhook', webhookTitle)
    await eventually(() => field.inputValue(), { until: value => value === 'https://theirs.example/first' })
    expect(await save.count()).to.equal(0)
    await field.press('Enter')
    expect(await storedUrl()).to.equal('https://theirs.example/first')
  })

  it('do not overwrite what was changed elsewhere while the user was typing, before the user has chosen', async () => {
    const { page } = user
    await field.fill('https://mine.example/')
    await changeElsewhere('https://theirs.example/second')
    await save.click()
    const changed = page.getByRole('alert').getByText('This was changed in the meantime.')
    await changed.waitFor()
    expect(await field.inputValue()).to.equal('https://mine.example/')
    expect(await storedUrl()).to.equal('https://theirs.example/second')
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await page.getByRole('button', { name: 'Discard' }).click()
    expect(await field.inputValue()).to.equal('https://theirs.example/second')
    await field.fill('https://mine.example/')
    await changeElsewhere('https://theirs.example/third')
    await save.click()
    await changed.waitFor()
    await save.click()
    await page.getByText('Webhook URL saved.').waitFor()
    expect(await storedUrl()).to.equal('https://mine.example/')
  })

  for (const [what, procedure, typed] of [
    ['types while a change is being saved', 'tenant.update', () => 'A whole name'],
    ['types right after it was saved', 'session.me', () => 'A whole name'],
    ['takes back while it is being saved', 'tenant.update', (stored: string) => stored],
  ] as const) {
    it(`keep what the user ${what}, and save it without a question`, async () => {
      const { page } = user
      await user.open('/settings')
      const name = page.getByRole('textbox', { name: 'Name', exact: true })
      const saveName = page.getByRole('button', { name: 'Save name' })
      const saveNow = async () => {
        const response = page.waitForResponse(each => each.url().includes('tenant.update'))
        await saveName.click()
        await response
      }
      const stored = await name.inputValue()
      const release = await holdResponses(page, procedure)
      await name.fill('Half a name')
      const called = page.waitForRequest(request => request.url().includes(procedure))
      await name.press('Enter')
      await called
      await name.fill(typed(stored))
      release()
      await page.getByRole('status').getByText('Name saved.').waitFor()
      await saveName.and(page.locator(':not([data-loading])')).waitFor()
      expect(await name.inputValue()).to.equal(typed(stored))
      await saveNow()
      expect(await page.getByRole('alert').count()).to.equal(0)
      await user.open('/settings')
      expect(await name.inputValue()).to.equal(typed(stored))
      await page.unrouteAll()
    })
  }

  it('ask before unsaved changes are lost by a link, by Back and by closing the tab', async () => {
    const { page } = user
    await page.getByRole('link', { name: 'General' }).click()
    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill('Half a name')
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await page.getByRole('link', { name: 'Members' }).click()
    await page.locator('button:focus', { hasText: 'Cancel' }).waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'hidden' })
    expect(await name.inputValue()).to.equal('Half a name')
    await page.goBack()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })

    expect(await tryToCloseTab(page)).to.equal('beforeunload')

    await page.getByRole('link', { name: 'Members' }).click()
    await question.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByRole('table', { name: 'Members' }).waitFor()
    await eventually(focused, { until: name => name === 'Settings' })
  })

  it('say at the field that a name is missing', async () => {
    const { page } = user
    await user.open('/settings')
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill(' ')
    await page.getByText('Enter a name.').waitFor()
    await page.getByRole('button', { name: 'Save name' }).click()
    await page.locator('input:focus').waitFor()
    expect(await name.getAttribute('aria-invalid')).to.equal('true')
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  it('turn the webhook off when its URL is emptied and saved, after a question', async () => {
    const { page } = user
    await changeElsewhere('https://mine.example/')
    await user.open('/settings/webhook')
    await field.fill('')
    await page.getByText('Saving this turns the webhook off.').waitFor()
    await field.press('Enter')
    const question = page.getByRole('dialog', { name: 'Remove the webhook URL?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })
    expect(await storedUrl()).to.equal('https://mine.example/')
    await save.click()
    await question.getByRole('button', { name: 'Remove URL' }).click()
    await page.getByText('Webhook URL removed.').waitFor()
    expect(await storedUrl()).to.equal(null)
    await save.waitFor({ state: 'hidden' })
    await field.fill('https://mine.example/')
    await save.click()
    await page.getByText('Webhook URL saved.').waitFor()
  })

  it('show an event whose signature is that of its body and the example secret', async () => {
    const { page } = user
    await page.getByText('Try your receiver with a sample event').click()
    const secret = await page.getByText(/^whsec_example/).textContent()
    const command = await page.getByRole('region', { name: 'curl command, as text' }).textContent()
    const [headers = '', body = ''] = (command ?? '').slice(0, -1).split("--data-raw '")
    expect(headers).to.contain(`curl -i '${await field.inputValue()}'`)
    expect(headers).to.contain(
      createHmac('sha256', secret ?? '')
        .update(body)
        .digest('hex'),
    )
    expect(JSON.parse(body)).to.include({ event: 'verification.completed', tenantId: tenant[1] })
    await page.getByRole('button', { name: 'Copy curl command' }).waitFor()
  })
})
