import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { decodeJwt } from 'jose'
import type { Locator, Page } from 'playwright-core'
import { operate } from '#test/harness/processes/operate.ts'
import { eventually } from '../harness/eventually.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { changeResponses } from './browser/console-responses.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'
import { verify } from './browser/verify.ts'

describe(browserTitle('the panel of a verification'), () => {
  const fixture = dashboardFixture()
  let user: DashboardUser
  let adult: string
  let minor: string
  let denied: string
  let expired: string
  let resubmission: string
  let corrected: string
  before(async () => {
    await operate(fixture.service, 'demo', 'seed', '--tenant', fixture.tenantId, '--verifications', '60')
    adult = await verify(fixture, 'open', 'submit', { outcome: 'approve-adult' })
    minor = await verify(fixture, 'open', 'submit', { outcome: 'approve-minor' })
    expired = await verify(fixture, 'open', { outcome: 'expire' })
    const again = { outcome: 'resubmission', reasonCode: '201' }
    const decline = { outcome: 'decline', reasonCode: '102' }
    denied = await verify(fixture, 'open', 'submit', again, 'open', 'submit', decline)
    corrected = await verify(fixture, 'open', 'submit', { outcome: 'approve-adult' }, { outcome: 'decline' })
    resubmission = await verify(fixture, 'open', 'submit', again)
    user = await fixture.user('owner', { path: '/verifications' })
  })

  const panel = () => user.page.getByRole('dialog', { name: 'Verification', exact: true })
  const focused = () =>
    user.page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.textContent')
  const path = () => new URL(user.page.url()).pathname.replace(/.*verifications/, '')

  async function open(id: string): Promise<string> {
    await user.open(`/verifications/${id}`)
    await panel().getByRole('heading', { name: 'Timeline' }).waitFor()
    return (await panel().textContent()) ?? ''
  }

  /** Opens the first of the list, to which Back leads, and from there to the overview. Returns the IDs of the list. */
  async function openFirst(): Promise<(string | null)[]> {
    await user.open('/overview')
    await user.goTo('/verifications', 'Verifications · Age verification')
    const links = user.page.getByRole('table').getByRole('link')
    const ids = await links.evaluateAll(all => all.map(link => link.textContent))
    await links.first().click()
    await panel().getByRole('heading', { name: 'Timeline' }).waitFor()
    return ids
  }

  const verdict = async (id: string) => {
    await open(id)
    return panel().getByRole('heading', { level: 3 }).first().textContent()
  }

  it('begins with the verdict in one line, and warns of an approved minor', async () => {
    expect(await verdict(adult)).to.equal('Approved: 18 or over')
    expect(await verdict(minor)).to.equal("Under 18: don't admit this user")
    expect(await panel().textContent()).to.contain('UNDERAGE_OR_UNKNOWN')
    expect(await user.accessibilityViolations()).to.deep.equal([])
  })

  it('says once why a verification was denied or rejected, and what to tell the user', async () => {
    expect(await verdict(denied)).to.equal('Denied: document tampered with')
    const said = (await panel().textContent()) ?? ''
    expect(said.match(/tampered/g), said).to.have.length(1)
    expect(said).to.contain('Say that the age could not be confirmed, and whom to ask.')
    const documented = await panel().getByRole('link', { name: 'What to tell users' }).getAttribute('href')
    const { hash } = new URL(documented!)
    expect(await (await fetch(documented!)).text()).to.contain(`<h3 id="${hash.slice(1)}">`)
    expect(await verdict(expired)).to.equal('Rejected: gave up before submitting')
    expect(await panel().textContent()).to.contain('Nothing was judged. Offer another verification.')
  })

  it('says what became of its event while that is known', async () => {
    await open(denied)
    await panel().getByText('Your receiver accepted the event: ').waitFor()
    expect(await panel().textContent()).to.contain('attempt 1 of 3.')
    await changeResponses(user.page, 'verifications.get', data => Object.assign(data, { delivery: null }))
    const text = await open(denied)
    expect(text).to.contain('What became of the event is known for 24 hours.').and.not.contain('accepted')
    const failure = { description: 'no connection to the receiver', remedy: 'Check that the receiver runs.' }
    const at = '2026-11-20T12:00:00.000Z'
    const delivery = { state: 'failed', attempts: 3, attemptedAt: at, dueAt: at, failure }
    await user.page.unrouteAll()
    await changeResponses(user.page, 'verifications.get', data => Object.assign(data, { delivery }))
    expect(await open(denied)).to.match(
      /The event was given up after 3 of 3 attempts: no connection to the receiver, .* Check that/,
    )
    await user.page.unrouteAll()
    expect(await open(resubmission)).to.contain('The event is sent when it is completed.')
  })

  it('goes to the next and the previous one of the list, and Back leaves the list', async () => {
    const { page } = user
    const ids = await openFirst()
    const shows = async (id: string | null | undefined) => {
      await panel()
        .getByText(id ?? '', { exact: true })
        .first()
        .waitFor()
      expect(path()).to.equal(`/${id}`)
    }
    const previous = panel().getByRole('button', { name: 'Previous' })
    expect(await previous.getAttribute('aria-disabled')).to.equal('true')
    await panel().getByRole('button', { name: 'Next' }).click()
    await shows(ids[1])
    await page.keyboard.press('j')
    await shows(ids[2])
    await page.keyboard.press('k')
    await shows(ids[1])
    await page.keyboard.press('Escape')
    await panel().waitFor({ state: 'hidden' })
    await eventually(focused, { until: name => name === ids[1] })
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  })

  it("groups the timeline by the user's attempts, each with its result, reason and time", async () => {
    await open(denied)
    const headings = await panel().getByRole('heading', { level: 4 }).allTextContents()
    expect(headings).to.deep.equal(['Attempt 1: resubmission', 'Attempt 2: denied'])
    const entries = await panel().getByRole('listitem').allTextContents()
    expect(entries.length).to.equal(7)
    expect(entries[3]).to.match(/^Resubmission.*\d{4}.*Photos are missing\.Code 9103, reason code 201/)
    expect(entries[6]).to.match(/^Denied.*\d{4}.*by the identity provider\.Code 9102, reason code 102$/)
  })

  it('says what an open verification waits for, why, and how it ends without a decision', async () => {
    const text = await open(resubmission)
    expect(text).to.contain('Waiting for the user to submit again')
    expect(text).to.contain('Photos are missing.')
    expect(text).to.match(
      /It stays open until .*\d{4}.* Without a decision by then, it ends as resubmission\./,
    )
  })

  it('says what validation returns after a token was revoked, also after its expiry', async () => {
    const { page } = user
    await open(adult)
    await panel().getByRole('button', { name: 'Revoke token' }).click()
    const question = page.getByRole('dialog', { name: 'Revoke this token?' })
    await question.getByRole('button', { name: 'Revoke token' }).click()
    await question.waitFor({ state: 'hidden' })
    const verdict = panel().getByRole('heading', { level: 3, name: /^Token revoked/ })
    await verdict.and(user.page.locator(':focus')).waitFor()
    expect((await verdict.boundingBox())!.y).to.be.within(0, 860)
    await panel().getByText('TOKEN_REVOKED, also after its expiry.').waitFor()
    expect(await panel().getByText('TOKEN_EXPIRED').count()).to.equal(0)
    const text = (await panel().textContent()) ?? ''
    expect(await panel().getByRole('heading', { level: 3 }).first().textContent()).to.match(/^Token revoked/)
    expect(text).to.contain('Its status has over18: null and no token').and.not.contain('18+ confirmed')
    expect(await panel().getByRole('listitem').last().textContent()).to.match(/^Token revoked/)
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await panel().getByRole('link', { name: 'See who revoked it.' }).click()
    const entry = page
      .getByRole('table', { name: 'Audit log' })
      .getByRole('row')
      .filter({ hasText: adult.slice(-8) })
    await entry.getByText(user.subject).waitFor()
  })

  it('says of a decline after the approval that it revoked the token', async () => {
    const text = await open(corrected)
    expect(await verdict(corrected)).to.equal("Token revoked: don't admit this user")
    expect(text).to.contain('It came too late to change the result, but the token is revoked.')
    expect(text).to.contain('The identity provider denied it late.')
    expect(text).not.to.contain('Ignored').and.not.contain('See who revoked it')
  })

  it('shows a viewer the claims of a token, but neither the token nor an enabled button', async () => {
    const copyToken = (page: Page) => page.getByRole('button', { name: /copy token/i })
    await open(minor)
    expect(await copyToken(user.page).count()).to.equal(1)
    const { page } = await fixture.user('viewer', { path: `/verifications/${minor}` })
    await page.getByText('Claims').click()
    await page.getByText(`${fixture.service.baseUrl}/test`, { exact: true }).waitFor()
    expect(await copyToken(page).count()).to.equal(0)
    const erase = page.getByRole('button', { name: 'Erase verification' })
    expect(await erase.getAttribute('aria-disabled')).to.equal('true')
    await page.getByText("The viewer role can't rename the tenant or erase a verification.").waitFor()
    const color = await page
      .getByRole('button', { name: 'Revoke token' })
      .evaluate(element => element.ownerDocument.defaultView.getComputedStyle(element).color)
    expect(color).not.to.equal('rgb(166, 30, 30)')
  })

  it('is erased by an owner who types the end of its ID, with a receipt that names nobody', async () => {
    const { page } = user
    const erased = await verify(fixture, 'open', 'submit', { outcome: 'approve-adult' })
    const client = tenantClient(fixture.service, { apiKey: fixture.apiKey })
    const { token } = (await client.status(erased)).body
    await user.open('/overview')
    // As the only row.
    await user.goTo(`/verifications?search=${erased.slice(-8)}`, 'Verifications · Age verification')
    const row = page.getByRole('table').getByRole('link', { name: erased })
    await row.click()
    await panel().getByRole('button', { name: 'Erase verification' }).click()
    const question = page.getByRole('dialog', { name: 'Erase this verification?' })
    await question.getByText('which name nobody').waitFor()
    expect(await user.accessibilityViolations()).to.deep.equal([])
    const field = question.getByRole('textbox', {
      name: `type the last 8 characters of its ID: ${erased.slice(-8)}`,
    })
    await field.and(page.locator(':focus')).waitFor()
    for (const wrong of ['', erased.slice(0, 8), 'erase']) {
      await field.fill(wrong)
      await question.getByRole('button', { name: 'Erase' }).click()
      await question.getByText(`Type ${erased.slice(-8)}.`).waitFor()
    }
    expect((await client.status(erased)).status).to.equal(200)
    await field.fill(` ${erased.slice(-8).toUpperCase()} `)
    await field.press('Enter')
    const saving = page.getByRole('dialog', { name: 'Save the receipt' })
    const box = saving.getByRole('region', { name: 'receipt, as text' })
    await box.and(page.locator(':focus')).waitFor()
    expect(await user.accessibilityViolations()).to.deep.equal([])
    for (const leave of [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 5)]) {
      await leave()
      await saving.getByText('Have you saved the receipt?').waitFor()
      await saving.getByRole('button', { name: 'Back to the receipt' }).click()
    }
    const receipt = await downloadReceipt(page, saving)
    expect(decodeJwt(receipt)).to.include({
      verificationId: erased,
      aud: fixture.tenantId,
      erasedBy: 'member',
    })
    await saving.getByRole('button', { name: "I've saved the receipt" }).click()
    await panel().getByRole('heading', { name: 'Erased' }).and(page.locator(':focus')).waitFor()
    await panel()
      .getByText(/At the identity provider, its session (was deleted|is to be deleted)/)
      .waitFor()
    expect(await user.accessibilityViolations()).to.deep.equal([])
    expect((await client.status(erased)).status).to.equal(404)
    expect((await client.validate(token)).body).to.include({ valid: false, reason: 'TOKEN_NOT_FOUND' })
    await page.keyboard.press('Escape')
    await panel().waitFor({ state: 'hidden' })
    await page.getByText('No results').waitFor()
    expect(await row.count()).to.equal(0)
    await user.open(`/verifications/${erased}`)
    await panel().getByText('The verification may have been erased').waitFor()
    await user.goTo('/audit-log', 'Audit log · Age verification')
    await page
      .getByRole('row')
      .filter({ hasText: 'Erased a verification' })
      .first()
      .getByRole('link')
      .first()
      .click()
    const event = page.getByRole('dialog', { name: 'Audit event' })
    expect(decodeJwt(await downloadReceipt(page, event))).to.include({ verificationId: erased })
  })

  async function downloadReceipt(page: Page, dialog: Locator): Promise<string> {
    const downloading = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Save receipt' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).to.match(/^demo-erasure-[0-9a-f-]{36}\.jwt$/)
    return await readFile(await download.path(), 'utf8')
  }
})
