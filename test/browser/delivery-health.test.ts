import { expect } from 'chai'
import { freePort } from '#server/http/free-port.ts'
import { operate } from '#test/harness/processes/operate.ts'
import { changeResponses } from './browser/console-responses.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'
import { verify } from './browser/verify.ts'

describe(browserTitle('events that the receiver does not accept'), function () {
  this.timeout(90_000)
  const fixture = dashboardFixture()
  const reason = 'no connection to the receiver'
  let owner: DashboardUser
  let viewer: DashboardUser
  let verificationId: string
  before(async () => {
    await setUrl(`https://127.0.0.1:${await freePort()}/dead`)
    for (let count = 0; count < 3; count++) verificationId = await approve()
    owner = await fixture.user('owner', { path: '/settings/webhook' })
    viewer = await fixture.user('viewer', { path: '/settings/webhook' })
  })

  const setUrl = (url: string) =>
    operate(fixture.service, 'tenant', 'set-webhook', '--tenant', fixture.tenantId, '--url', url)
  const approve = () => verify(fixture, 'open', 'submit', { outcome: 'approve-adult' })
  const strip = ({ page }: DashboardUser) =>
    page
      .getByRole('main')
      .getByRole('status')
      .filter({ hasText: /not accepted/ })
  const health = ({ page }: DashboardUser) => page.getByRole('region', { name: 'Last 24 hours' })
  const step = ({ page }: DashboardUser, state: string) =>
    page.getByRole('button', { name: `Get webhook events ${state}` })

  it('are counted on the page of the webhook, with the latest reason and what to do', async () => {
    for (const user of [owner, viewer]) {
      await health(user).getByText('3 being retried').waitFor()
      await health(user).getByText('0 accepted').waitFor()
      await health(user).getByText('None was accepted.').waitFor()
      await health(user).getByText(`First failure: ${reason}.`).waitFor()
      await health(user).getByText(`Latest failure: ${reason}`).waitFor()
      await health(user).getByText('Check that the receiver runs').waitFor()
      await user.open('/settings/webhook')
      expect(await user.layoutShift()).to.be.below(0.02)
      expect(await user.accessibilityViolations()).to.deep.equal([])
    }
  })

  it('are counted up to a limit, and what was given up leads to how to get it', async () => {
    const counts = { accepted: 10_000, retrying: 40, givenUp: 10 }
    await changeResponses(owner.page, 'settings.deliveries', data => Object.assign(data, counts))
    await owner.open('/settings/webhook')
    await health(owner).getByText('10,000 or more accepted').waitFor()
    await health(owner).getByRole('link', { name: 'Get what was given up' }).waitFor()
    await owner.page.unrouteAll()
  })

  it('are in a strip on every page, for those who can do something', async () => {
    for (const path of ['/overview', '/verifications', '/api-keys', '/settings/members']) {
      await owner.open(path)
      await strip(owner).getByText('The last 3 events were not accepted').waitFor()
      expect(await strip(owner).textContent()).to.match(
        /Since .* [AP]M: no connection to the receiver\. Latest, .*: the same\./,
      )
      await viewer.open(path)
      expect(await strip(viewer).count()).to.equal(0)
    }
    await owner.setWidth(320)
    expect(await owner.scrollsHorizontally()).to.equal(false)
    expect(await owner.accessibilityViolations()).to.deep.equal([])
    await owner.setWidth(1_280)
    await strip(owner).getByRole('link', { name: 'What to do' }).click()
    await health(owner).waitFor()
  })

  it('are told of in the panel and in the first steps, which claim no event that was not accepted', async () => {
    await owner.open(`/verifications/${verificationId}`)
    const panel = owner.page.getByRole('dialog', { name: 'Verification' })
    await panel.getByText(new RegExp(`^Attempt 1 of 3 failed: ${reason}`)).waitFor()
    await panel.getByText('The next one is due at').waitFor()
    expect(await panel.getByText('accepted the event').count()).to.equal(0)
    await owner.open('/first-steps')
    await step(owner, 'Failing').waitFor()
  })

  it('are history as soon as one is accepted', async () => {
    await setUrl(fixture.service.webhookUrl)
    const accepted = await approve()
    await step(owner, 'Done').waitFor()
    await owner.open(`/verifications/${accepted}`)
    const panel = owner.page.getByRole('dialog', { name: 'Verification' })
    await panel.getByText('Your receiver accepted the event:').waitFor()
    await owner.open('/settings/webhook')
    await health(owner).getByText('1 accepted').waitFor()
    await health(owner)
      .getByText(/^Last accepted .*\d{4}, [^;]*\.$/)
      .waitFor()
    const failure = health(owner)
      .getByRole('alert')
      .filter({ hasText: `Latest failure: ${reason}` })
    await failure.getByText('before the last event was accepted').waitFor()
    expect(await owner.accessibilityViolations()).to.deep.equal([])
    expect(await strip(owner).count()).to.equal(0)
  })
})
