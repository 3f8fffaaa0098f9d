import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { useService } from '../harness/use-service.ts'
import { accessibilityViolations } from './browser/accessibility.ts'
import { installedChromium, launchChromium } from './browser/chromium.ts'
import { browserTitle } from './browser/dashboard-fixture.ts'
import { expectToFit } from './browser/expect-to-fit.ts'

describe(browserTitle('The practice statement in a browser'), () => {
  const service = useService({ env: { PRACTICE: '{"controller":"Example Ltd, 1 High Street, London"}' } })
  let browser: Browser
  let page: Page
  const errors: string[] = []
  before(async function () {
    if (installedChromium.isMissing) this.skip()
    browser = await launchChromium()
    page = await browser.newPage()
    page.on('console', message => {
      if (message.type() === 'error') errors.push(message.text())
    })
  })
  after(() => browser?.close())

  for (const path of ['/practice-statement', '/practice-statement/1']) {
    it(`${path} fits wide and narrow screens, and is accessible in both themes`, async () => {
      await page.goto(`${service.baseUrl}${path}`)
      await expectToFit(page, [1_920, 1_280, 768, 320])
      const devtools = await page.context().newCDPSession(page)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await accessibilityViolations(devtools), colorScheme).to.deep.equal([])
      }
      expect(errors).to.deep.equal([])
    })
  }

  it('leads to the dashboard and the documentation from each version', async () => {
    for (const path of ['/practice-statement', '/practice-statement/1']) {
      await page.goto(`${service.baseUrl}${path}`)
      const links = page.getByRole('navigation', { name: 'Related pages' }).getByRole('link')
      const hrefs = await links.evaluateAll(all =>
        all.map(link => (link as unknown as { href: string }).href),
      )
      expect(hrefs).to.deep.equal([`${service.baseUrl}/dashboard`, `${service.baseUrl}/docs`])
    }
  })
})
