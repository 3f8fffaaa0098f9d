import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { useService } from '../harness/use-service.ts'
import { accessibilityViolations, scrollsHorizontally } from './browser/accessibility.ts'
import { brokenWords } from './browser/broken-words.ts'
import { installedChromium, launchChromium } from './browser/chromium.ts'
import { browserTitle } from './browser/dashboard-fixture.ts'

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
      for (const width of [1_920, 1_280, 768, 320]) {
        await page.setViewportSize({ width, height: 800 })
        expect(await scrollsHorizontally(page), `${width} pixels`).to.equal(false)
        expect(await brokenWords(page), `${width} pixels`).to.deep.equal([])
      }
      const devtools = await page.context().newCDPSession(page)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await accessibilityViolations(devtools), colorScheme).to.deep.equal([])
      }
      expect(errors).to.deep.equal([])
    })
  }

  it('has its contents in sight wherever the reader is, where there is room', async () => {
    await page.goto(`${service.baseUrl}/practice-statement#all`)
    const first = page
      .getByRole('navigation', { name: 'Sections' })
      .getByRole('link', { name: 'Who is responsible' })
    await page.setViewportSize({ width: 1_280, height: 800 })
    await page.locator('#all').scrollIntoViewIfNeeded()
    expect((await first.boundingBox())!.y).to.be.within(0, 800)
    await page.setViewportSize({ width: 375, height: 800 })
    expect(await first.isVisible()).to.equal(false)
    await page.getByText('Contents', { exact: true }).click()
    await first.click()
    await page.waitForURL('**#responsible')
  })

  for (const [locale, form] of [
    ['en-GB', /^7 Nov 2026, 09:05 UTC$/],
    ['en-US', /^Nov 7, 2026, 9:05\sAM UTC$/],
  ] as const) {
    it(`has times as readers of ${locale} have them in the dashboard`, async () => {
      const reader = await browser.newPage({ locale })
      await reader.route('**/practice-statement', async route => {
        const response = await route.fetch()
        const body = (await response.text()).replace(
          /datetime="[^"]+"/,
          'datetime="2026-11-07T09:05:00.000Z"',
        )
        await route.fulfill({ response, body })
      })
      await reader.goto(`${service.baseUrl}/practice-statement`)
      expect(await reader.locator('time').first().textContent()).to.match(form)
      await reader.close()
    })
  }

  it('marks in its contents the section that is being read', async () => {
    await page.setViewportSize({ width: 1_280, height: 800 })
    await page.goto(`${service.baseUrl}/practice-statement`)
    const current = page.getByRole('navigation', { name: 'Sections' }).locator('[aria-current]')
    const titles = await page.locator('h2').allTextContents()
    expect(await current.allTextContents()).to.deep.equal([titles[0]])
    await page.evaluate("document.querySelectorAll('h2')[2].scrollIntoView()")
    await current.filter({ hasText: titles[2]! }).waitFor()
    expect(await current.count()).to.equal(1)
  })

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

  it('is printed without what is for the screen, and dark on light', async () => {
    await page.goto(`${service.baseUrl}/practice-statement`)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    for (const hidden of ['header', 'nav.pages', 'nav[aria-label="Sections"]', 'figcaption button'])
      expect(await page.locator(hidden).isVisible(), hidden).to.equal(false)
    expect(await page.getByText('Example Ltd').isVisible()).to.equal(true)
    const colour = await page.evaluate('getComputedStyle(document.querySelector("h1")).color')
    expect(colour).to.equal('rgb(27, 33, 31)')
  })
})
