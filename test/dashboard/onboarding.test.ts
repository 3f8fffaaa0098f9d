import { expect } from 'chai'
import { tenantOf } from '#test/faults/service/demo-tenant.ts'
import { dashboardFixture, inBrowser } from './browser/dashboard-stage.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'

const unknown = '01a00000-0000-7000-8000-000000000000'

describe(inBrowser('a newcomer at the dashboard'), function () {
  this.timeout(60_000)
  const fixture = dashboardFixture()
  let user: DashboardUser
  let apiKey: string
  let verificationId: string
  before(async () => {
    user = await fixture.user('Nora Newcomer')
  })

  it('comes to the first steps, and gets a tenant there', async () => {
    const { page } = user
    expect(new URL(page.url()).pathname).to.equal('/dashboard/first-steps')
    await page.getByRole('textbox', { name: 'Name of the tenant' }).fill('Corner shop')
    await page.getByRole('button', { name: 'Create tenant' }).click()
    await page.getByText('You are owner of Corner shop.').waitFor()
  })

  it('makes a key on the spot, in a curl line that is ready to paste', async () => {
    const { page } = user
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByText('The key is in this line.').waitFor()
    const line = (await page.getByRole('region', { name: 'curl line, as text' }).textContent()) ?? ''
    expect(line).to.contain(`curl -X POST ${fixture.service.baseUrl}/verify/start`)
    apiKey = /avk_\w{49}/.exec(line)?.[0] ?? ''
    expect(apiKey).not.to.equal('')
  })

  it('sees the first verification arrive without doing anything', async () => {
    const { page } = user
    await page.getByRole('heading', { name: 'Waiting for your first verification' }).waitFor()
    const { status, body } = await tenantOf(fixture.service, apiKey).start()
    expect(status).to.equal(201)
    verificationId = body.verificationId
    await page.getByRole('heading', { name: 'Your first verification is here' }).waitFor()
    await page.getByRole('link', { name: verificationId }).waitFor()
  })

  it('finds it in the list by the beginning of its id, and its timeline in a panel with an address', async () => {
    const { page } = user
    await user.open(`/verifications?search=${verificationId.slice(0, 18)}`)
    await page.getByRole('link', { name: verificationId }).click()
    const panel = page.getByRole('dialog', { name: 'Verification' })
    await panel.getByRole('heading', { name: 'Timeline' }).waitFor()
    expect(new URL(page.url()).pathname).to.equal(`/dashboard/verifications/${verificationId}`)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
    expect(new URL(page.url()).search).to.equal(`?search=${verificationId.slice(0, 18)}`)
  })

  it('is told what is wrong with a webhook URL before and after saving, and saves a good one', async () => {
    const { page } = user
    await user.open('/settings/webhook')
    const field = page.getByRole('textbox', { name: 'Webhook URL' })
    await field.fill('http://shop.example/events')
    await page.getByText('Starts with https:// and names a host. Not kept.').waitFor()
    await page.getByRole('button', { name: 'Save URL' }).click()
    await page.getByText('The URL must start with https:// and name a host.').waitFor()
    await field.fill('https://shop.example/events')
    await page.getByRole('button', { name: 'Save URL' }).click()
    await page.getByText('The webhook URL is saved.').waitFor()
  })

  it('reveals the secret, rotates it, and is told until when the old one is accepted', async () => {
    const { page } = user
    await page.getByRole('button', { name: 'Reveal secret' }).click()
    const box = page.getByRole('region', { name: 'signing secret, as text' })
    const old = await box.textContent()
    expect(old).to.match(/^whsec_[\w-]{43}$/)
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rotate the signing secret?' })
    await dialog.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByText(/is accepted until .* \(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\)/).waitFor()
    expect(await box.textContent())
      .to.match(/^whsec_/)
      .and.not.equal(old)
  })

  it('creates a key that is shown once, and is asked before it is gone', async () => {
    const { page } = user
    await user.open('/api-keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Till')
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    const box = page.getByRole('region', { name: 'API key, as text' })
    const value = (await box.textContent()) ?? ''
    expect((await tenantOf(fixture.service, value).status(unknown)).body.error).to.equal(
      'VERIFICATION_NOT_FOUND',
    )
    await page.keyboard.press('Escape')
    await page.getByText('Have you stored the key?').waitFor()
    expect(await box.textContent()).to.equal(value)
    await page.getByRole('button', { name: 'Close for good' }).click()
    await box.waitFor({ state: 'hidden' })
    expect(await page.content()).not.to.contain(value)
  })

  it('says so when copying fails, and selects the text instead', async () => {
    const { page } = user
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))")
    await page.getByRole('link', { name: 'First steps' }).click()
    await page.getByRole('button', { name: 'Copy curl line' }).click()
    await page.getByText('Copying failed. The text is selected').waitFor()
    expect(await page.evaluate('String(window.getSelection())')).to.contain('/verify/start')
  })

  it('revokes a key after a question whose focus is on Cancel, and the API refuses the key at once', async () => {
    const { page } = user
    await user.open('/api-keys')
    await page.getByRole('button', { name: 'Revoke First steps' }).click()
    await page.getByRole('dialog').waitFor()
    await page.locator('button:focus', { hasText: 'Cancel' }).waitFor()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('The key "First steps" is revoked.').waitFor()
    const { status, body } = await tenantOf(fixture.service, apiKey).start()
    expect({ status, error: body.error }).to.deep.equal({ status: 401, error: 'UNAUTHENTICATED_TENANT' })
  })

  it('reads in the audit log what was done', async () => {
    const { page } = user
    await user.open('/audit-log')
    for (const deed of ['Revoked an API key', 'Rotated the signing secret', 'Created the tenant']) {
      await page.getByText(deed).first().waitFor()
    }
  })

  it('signs out, and the next visit asks who it is', async () => {
    const { page } = user
    await page.getByRole('button', { name: /Signed in as/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: /Nora Newcomer/ }).waitFor()
  })
})
