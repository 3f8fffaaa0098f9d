import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { operate } from '#test/harness/processes/operate.ts'
import { eventually } from '../harness/eventually.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'
import { verify } from './browser/verify.ts'

describe(browserTitle('the panel of a verification'), function () {
  this.timeout(60_000)
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
  const scrolled = () => user.page.evaluate<number>('scrollY')
  const focused = () =>
    user.page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.textContent')
  const path = () => new URL(user.page.url()).pathname.replace(/.*verifications/, '')

  async function open(id: string): Promise<string> {
    await user.open(`/verifications/${id}`)
    await panel().getByRole('heading', { name: 'Timeline' }).waitFor()
    return (await panel().textContent()) ?? ''
  }

  it('begins with whether the user is 18 or over, and warns of an approved minor', async () => {
    expect(await open(adult)).to.match(/^Verification18 or over: yesApproved · 18\+/)
    const text = await open(minor)
    expect(text).to.match(/^Verification18 or over: noApproved, under 18/)
    expect(text).to.contain('This user is under 18').and.contain('UNDERAGE_OR_UNKNOWN')
    expect(await user.accessibilityViolations()).to.deep.equal([])
  })

  it("says why a verification was denied or rejected, with the identity provider's codes", async () => {
    const text = await open(denied)
    expect(text).to.match(/^Verification18 or over: unknownDenied/)
    expect(text).to.contain('Why it was deniedThe document looks tampered with.Code 9102, reason code 102')
    expect(await open(expired)).to.contain('Why it was rejectedThe user did not finish')
  })

  it("groups the timeline by the user's attempts, each with its result, reason and time", async () => {
    await open(denied)
    const headings = await panel().getByRole('heading', { level: 4 }).allTextContents()
    expect(headings).to.deep.equal(['Attempt 1: resubmission', 'Attempt 2: denied'])
    const entries = await panel().getByRole('listitem').allTextContents()
    expect(entries.length).to.equal(7)
    expect(entries[3]).to.match(/^Resubmission.*\d{4}.*Photos are missing\.Code 9103, reason code 201$/)
    expect(entries[6]).to.match(
      /^Denied.*\d{4}.*The document looks tampered with\.Code 9102, reason code 102$/,
    )
  })

  it('says what an open verification waits for, why, and how it ends without a decision', async () => {
    const text = await open(resubmission)
    expect(text).to.contain('18 or over: not decided yet').and.contain('Waiting for the user to submit again')
    expect(text).to.contain('Photos are missing.')
    expect(text).to.match(
      /It stays open until .*\d{4}.* Without a decision by then, it ends as resubmission\./,
    )
  })

  it('keeps the list in its place, returns the focus, and is not opened again by Back', async () => {
    const { page } = user
    await user.open('/overview')
    await user.goTo('/verifications', 'Verifications · Age verification')
    const link = page.getByRole('table').getByRole('link').nth(20)
    await link.scrollIntoViewIfNeeded()
    const place = await scrolled()
    expect(place).to.be.above(300)
    const id = await link.getAttribute('aria-label')
    await link.click()
    await panel().getByRole('heading', { name: 'Timeline' }).waitFor()
    expect(await scrolled()).to.equal(place)
    await page.keyboard.press('Escape')
    await panel().waitFor({ state: 'hidden' })
    expect(await scrolled()).to.equal(place)
    await eventually(focused, { until: name => name === id })
    expect(path()).to.equal('')
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(await panel().count()).to.equal(0)
  })

  it('that was opened by a link leads to the list, with the focus on its heading or on the row', async () => {
    const { page } = user
    const isBeyond = '/verifications/01a00000-0000-7000-8000-000000000000'
    for (const [address, target] of [
      [`/verifications/${denied}`, denied],
      [isBeyond, 'Verifications'],
    ] as const) {
      await user.open(address)
      await page.getByRole('table').getByRole('link').first().waitFor()
      await panel().getByRole('button', { name: 'Close' }).click()
      await panel().waitFor({ state: 'hidden' })
      await eventually(focused, { until: name => name === target })
      expect(path()).to.equal('')
    }
  })

  it('stays open when Escape closes a question about it', async () => {
    const { page } = user
    await open(adult)
    await panel().getByRole('button', { name: 'Revoke token' }).click()
    const question = page.getByRole('dialog', { name: 'Revoke this token?' })
    await question.waitFor()
    expect(await user.accessibilityViolations()).to.deep.equal([])
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'hidden' })
    expect(path()).to.equal(`/${adult}`)
    await panel().getByRole('button', { name: 'Revoke token' }).waitFor()
    await page.keyboard.press('Escape')
    await panel().waitFor({ state: 'hidden' })
  })

  it('says what validation returns after a token was revoked, also after its expiry', async () => {
    const { page } = user
    await open(adult)
    await panel().getByRole('button', { name: 'Revoke token' }).click()
    const question = page.getByRole('dialog', { name: 'Revoke this token?' })
    await question.getByRole('button', { name: 'Revoke token' }).click()
    await panel().getByText('Validation still returns TOKEN_REVOKED.').waitFor()
    expect(await panel().getByText('TOKEN_EXPIRED').count()).to.equal(0)
    const text = (await panel().textContent()) ?? ''
    expect(text).to.match(/^Verification18 or over: revokedApproved, token revokedDo not admit/)
    expect(text).to.contain('its status has over18: null and no token').and.not.contain('18+ confirmed')
    expect(await user.accessibilityViolations()).to.deep.equal([])
  })

  it('says of a decline after the approval that it revoked the token', async () => {
    const text = await open(corrected)
    expect(text).to.match(/^Verification18 or over: revokedApproved, token revoked/)
    expect(text).to.contain('It came too late to change the result, but the token is revoked.')
    expect(text).not.to.contain('Ignored')
  })

  it('shows a viewer the claims of a token, but neither the token nor an enabled button', async () => {
    const copyToken = (page: Page) => page.getByRole('button', { name: /copy token/i })
    await open(minor)
    expect(await copyToken(user.page).count()).to.equal(1)
    const { page } = await fixture.user('viewer', { path: `/verifications/${minor}` })
    await page.getByText('Whether the person is confirmed to be 18 or over.').waitFor()
    expect(await copyToken(page).count()).to.equal(0)
    const color = await page
      .getByRole('button', { name: 'Revoke token' })
      .evaluate(element => element.ownerDocument.defaultView.getComputedStyle(element).color)
    expect(color).not.to.equal('rgb(166, 30, 30)')
  })
})
