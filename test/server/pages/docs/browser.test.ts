import type { Server } from 'node:http'
import { expect } from 'chai'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { documentGroups } from '#server/pages/docs/documents.ts'
import { accessibilityViolations, scrollsHorizontally } from '#test/browser/browser/accessibility.ts'
import { brokenWords } from '#test/browser/browser/broken-words.ts'
import { installedChromium, launchChromium } from '#test/browser/browser/chromium.ts'
import { describeWith } from '#test/harness/system-program.ts'
import { serveDocs } from './serve-docs.ts'

const paths = ['', '/api', ...documentGroups.flatMap(({ names }) => names.map(name => `/${name}`))]

describeWith([installedChromium], 'The documentation in a browser', function () {
  this.timeout(60_000)
  let server: Server
  let address: string
  let browser: Browser
  let page: Page
  let devtools: CDPSession
  const errors: string[] = []
  before(async () => {
    ;({ server, address } = await serveDocs('http://127.0.0.1:3000'))
    browser = await launchChromium()
    const context = await browser.newContext({ viewport: { width: 375, height: 800 }, colorScheme: 'dark' })
    page = await context.newPage()
    devtools = await context.newCDPSession(page)
    page.on('console', message => {
      if (message.type() === 'error') errors.push(message.text())
    })
  })
  after(async () => {
    await browser.close()
    server.close()
  })

  for (const path of paths) {
    it(`/docs${path} fits wide and narrow screens and shows its images`, async () => {
      await page.goto(`${address}/docs${path}`)
      for (const width of [1_280, 1_024, 768, 320, 375]) {
        await page.setViewportSize({ width, height: 800 })
        expect(await scrollsHorizontally(page), `${width} pixels`).to.equal(false)
        expect(await brokenWords(page), `${width} pixels`).to.deep.equal([])
      }
      const broken = '[...document.images].filter(image => image.naturalWidth === 0).map(image => image.src)'
      expect(await page.evaluate(broken)).to.deep.equal([])
      expect(errors).to.deep.equal([])
    })
  }

  // Together they have every kind of element.
  for (const path of ['', '/api', '/life-cycle', '/going-live']) {
    it(`/docs${path} is accessible in both themes`, async () => {
      await page.goto(`${address}/docs${path}`)
      expect(await accessibilityViolations(devtools)).to.deep.equal([])
      await page.emulateMedia({ colorScheme: 'light' })
      expect(await accessibilityViolations(devtools, ['wcag2aa'])).to.deep.equal([])
      await page.emulateMedia({ colorScheme: 'dark' })
    })
  }
})
