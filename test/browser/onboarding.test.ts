import { expect } from 'chai'
import { runSteps, type Steps } from '../harness/steps.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { changeResponses } from './browser/console-responses.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'

const uuid = /^[\da-f-]{36}$/

describe(browserTitle('onboarding of a new user'), function () {
  this.timeout(180_000)
  const fixture = dashboardFixture()
  let user: DashboardUser
  let apiKey: string
  let verificationId: string
  before(async () => {
    user = await fixture.user('newcomer')
  })

  const steps: Steps = {
    async 'opens the first steps and creates a tenant'() {
      const { page } = user
      expect(new URL(page.url()).pathname).to.equal('/dashboard/first-steps')
      await page.getByRole('textbox', { name: 'Tenant name' }).fill('Corner shop')
      await page.getByRole('button', { name: 'Create tenant' }).click()
      await page.getByText('0 of 4 steps done.').waitFor()
    },

    async 'claims nothing while the progress is unknown'() {
      const { page } = user
      await page.route(/tenant\.onboarding/, route => route.abort())
      await page.reload()
      await page.getByText('The service is unreachable').first().waitFor()
      expect(await page.getByText(/Done|Waiting|steps done|Create API key/).count()).to.equal(0)
      await page.unroute(/tenant\.onboarding/)
      await page.getByText('0 of 4 steps done.').waitFor()
    },

    async 'lands a user there whose tenant has steps to do, and leads there instead of showing an empty overview'() {
      const { page } = user
      await user.open('/')
      await page.getByRole('heading', { level: 1, name: 'Get started' }).waitFor()
      await page.getByRole('link', { name: 'Overview', exact: true }).click()
      await page.getByText('No verifications yet').waitFor()
      expect(await page.getByText('Approval rate').count()).to.equal(0)
      await page.getByRole('link', { name: 'Start your first verification' }).click()
      await page.getByText('0 of 4 steps done.').waitFor()
    },

    async 'creates an API key, which is copied on its own and shown once'() {
      const { page } = user
      await page.getByRole('button', { name: 'Create API key' }).click()
      const dialog = page.getByRole('dialog')
      const name = dialog.getByRole('textbox', { name: 'Name' })
      expect(await name.inputValue()).to.equal('First key')
      expect(await name.getAttribute('autocomplete')).to.equal('off')
      expect(await name.getAttribute('data-1p-ignore')).to.equal('true')
      await dialog.getByRole('button', { name: 'Create API key' }).click()
      apiKey = (await page.getByRole('region', { name: 'API key, as text' }).textContent()) ?? ''
      expect(apiKey).to.match(/^avk_test_\w{49}$/)
      await page.getByText('1 of 4 steps done.').waitFor()
      expect(await page.getByRole('region', { name: 'API key, as text' }).textContent()).to.equal(apiKey)
      await page.getByRole('button', { name: "I've stored the key" }).click()
      await step('Create an API key', 'Done').waitFor()
      await page.getByRole('heading', { level: 1 }).and(page.locator(':focus')).waitFor()
    },

    async 'has the key in the command to copy, and starts a verification with it, until the page is left'() {
      const { page } = user
      const sample = page.getByRole('region', { name: 'curl sample, as text' })
      const command = (await sample.textContent()) ?? ''
      expect(command).to.contain(`API_KEY=${apiKey}`).and.contain(`SERVICE_URL=${fixture.service.baseUrl}`)
      expect(command).to.contain('/verify/start')
      for (const [language, run] of [
        ['Java', 'java AgeVerification.java start'],
        ['Ruby', 'ruby age_verification.rb start'],
        ['curl', '/verify/start'],
      ]) {
        await page.getByRole('tab', { name: language!, exact: true }).click()
        await page.getByRole('tabpanel').filter({ hasText: run! }).waitFor()
      }
      await step('Start a verification', 'Waiting').waitFor()
      const { body } = await tenantClient(fixture.service, { apiKey }).start()
      await step('Start a verification', 'Done').waitFor()
      await step('Start a verification', 'Done').and(page.locator('[aria-expanded=false]')).waitFor()
      ;({ verificationId } = body)
      expect(await page.getByRole('link', { name: uuid }).textContent()).to.equal(verificationId)
      await page.reload()
      await step('Take the check', 'Waiting').waitFor()
      expect(await page.content()).not.to.contain(apiKey)
    },

    async 'shows the first of two verifications, and its result as soon as it is there'() {
      const { page } = user
      const toOpen = page.getByText('Open the sessionUrl')
      await toOpen.waitFor()
      const tenant = tenantClient(fixture.service, { apiKey })
      await tenant.start()
      await tenant.choose(verificationId, 'adult')
      await step('Take the check', 'Done').click()
      await page.getByText('(Approved: the identity is confirmed; the next step reads the age)').waitFor()
      expect(await toOpen.count()).to.equal(0)
      const linked = await page.getByRole('link', { name: uuid }).allTextContents()
      expect(linked).to.deep.equal([verificationId])
    },

    async 'has an ID to read the result of in a line of its own, if that verification was approved'() {
      const { page } = user
      const line = (id: string) =>
        page
          .getByRole('region', { name: 'curl sample, as text' })
          .getByText(`\nexport VERIFICATION_ID=${id}\n`)
      await page.getByText('3 of 4 steps done.').waitFor()
      await line(verificationId).waitFor()
      await changeResponses(page, 'tenant.onboarding', data => {
        data.firstVerification.status = 'resubmission'
      })
      await page.reload()
      await line('…').waitFor()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    },

    async 'has the languages of the samples in one line on phones'() {
      await user.setWidth(320)
      const languages = await user.page.getByRole('tablist').first().getByRole('tab').all()
      const tops = await Promise.all(languages.map(async language => (await language.boundingBox())!.y))
      expect(new Set(tops).size, 'lines').to.equal(1)
      expect(await user.scrollsHorizontally()).to.equal(false)
      await user.setWidth(1_280)
    },

    async 'shows why a webhook URL is invalid, and saves a valid one'() {
      const { page } = user
      await user.goTo('/settings/webhook', 'Webhook settings · Age verification')
      await page.getByText('The secret below signs them.').waitFor()
      const field = page.getByRole('textbox', { name: 'Webhook URL' })
      for (const [url, violation] of [
        ['http://shop.example/events', 'The URL must start with https:// and name a host.'],
        ['https://100.64.0.1/events', 'The URL must not point to a private or reserved address.'],
      ]) {
        await field.fill(url!)
        await page.getByRole('button', { name: 'Save URL' }).click()
        await page.getByText(violation!).waitFor()
        expect(await user.accessibilityViolations(), url).to.deep.equal([])
      }
      await field.fill('https://shop.example/events')
      await page.getByRole('button', { name: 'Save URL' }).click()
      await page.getByText('Webhook URL saved.').waitFor()
    },

    async 'removes the webhook URL after a confirmation, and saves it again'() {
      const { page } = user
      // Loaded again, so that the notification of the URL that was saved before is gone.
      await user.open('/settings/webhook')
      await page.getByRole('button', { name: 'Remove' }).click()
      const dialog = page.getByRole('dialog', { name: 'Remove the webhook URL?' })
      await dialog.getByRole('button', { name: 'Remove URL' }).click()
      await page.getByText('Webhook URL removed.').waitFor()
      await dialog.waitFor({ state: 'hidden' })
      const field = page.getByRole('textbox', { name: 'Webhook URL' })
      await field.and(page.locator(':placeholder-shown')).waitFor()
      await field.fill('https://shop.example/events')
      await page.getByRole('button', { name: 'Save URL' }).click()
      await page.getByText('Webhook URL saved.').waitFor()
    },

    async 'reveals and rotates the secret, and shows until when the previous one is valid'() {
      const { page } = user
      await page.getByRole('button', { name: 'Reveal secret' }).click()
      const box = page.getByRole('region', { name: 'signing secret, as text' })
      const old = await box.textContent()
      expect(old).to.match(/^whsec_[\w-]{43}$/)
      await page.getByRole('button', { name: 'Rotate secret' }).click()
      const dialog = page.getByRole('dialog', { name: 'Rotate the signing secret?' })
      await dialog.getByRole('button', { name: 'Rotate secret' }).click()
      await page.getByText(/works until .*\d{4}, .*\. Accept both until then/).waitFor()
      expect(await box.textContent())
        .to.match(/^whsec_/)
        .and.not.equal(old)
    },

    async 'reports when copying fails and selects the text instead'() {
      const { page } = user
      await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))")
      await user.goTo('/first-steps', 'Get started · Age verification')
      await page.getByRole('button', { name: 'Start a verification' }).click()
      await page.getByRole('button', { name: 'Copy curl sample' }).first().click()
      await page.getByText('Copying failed. The text is selected').waitFor()
      expect(await page.evaluate('String(window.getSelection())')).to.contain('/verify/start')
    },
  }

  function step(title: string, state: string) {
    return user.page.getByRole('button', { name: `${title} ${state}` })
  }

  it('takes them from the first sign-in to their own keys and webhook', () => runSteps(steps))
})
