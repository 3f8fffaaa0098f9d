import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { forTenant } from '#domain/scope.ts'
import { setReturnUrl } from '#domain/tenant/change-settings.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { useService, useTenant } from '../harness/use-service.ts'
import { accessibilityViolations, scrollsHorizontally } from './browser/accessibility.ts'
import { installedChromium, launchChromium } from './browser/chromium.ts'
import { browserTitle } from './browser/dashboard-fixture.ts'

const phone = { width: 390, height: 844 }

describe(browserTitle('The hosted page of a test tenant'), () => {
  const service = useService()
  const tenant = useTenant(service, { test: true })
  let browser: Browser
  before(async function () {
    if (installedChromium.isMissing) this.skip()
    browser = await launchChromium()
    const url = 'https://shop.invalid/back'
    await setReturnUrl(forTenant(service.operator(), tenant.tenantId), { url })
  })
  after(() => browser?.close())

  it('leads back to the return URL from each of its steps, and fits a phone', async () => {
    const client = tenantClient(service, tenant)
    const { verificationId, sessionUrl } = (await client.start()).body
    const back = `https://shop.invalid/back?verificationId=${verificationId}`
    for (const [buttons, status] of [
      [[/^Cancel/], 'started'],
      [['Submit', /^Return before the result/], 'submitted'],
      [[/^Approve an adult/], 'approved'],
    ] as const) {
      const page = await browser.newPage({ viewport: phone })
      await page.goto(sessionUrl)
      expect(await scrollsHorizontally(page)).to.equal(false)
      expect(await accessibilityViolations(await page.context().newCDPSession(page))).to.deep.equal([])
      const left = page.waitForRequest(back)
      for (const name of buttons) await page.getByRole('button', { name, exact: true }).click()
      await left
      expect((await client.status(verificationId)).body.status).to.equal(status)
      await page.close()
    }
  })
})
