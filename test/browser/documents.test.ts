import { expect } from 'chai'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { pageUrl, readGroups } from '#server/pages/docs/documents.ts'
import { accessibilityViolations } from '#test/browser/browser/accessibility.ts'
import { installedChromium, launchChromium } from '#test/browser/browser/chromium.ts'
import { expectToFit } from '#test/browser/browser/expect-to-fit.ts'
import { describeWith } from '#test/harness/system-program.ts'
import { serveDocs } from '#test/server/pages/docs/serve-docs.ts'

const paths = readGroups().flatMap(({ documents }) => documents.map(({ name }) => `/${pageUrl(name, '')}`))

describeWith([installedChromium], 'The documentation in a browser', () => {
  let close: () => Promise<void>
  let address: string
  let browser: Browser
  let page: Page
  let devtools: CDPSession
  const errors: string[] = []
  before(async () => {
    ;({ close, address } = await serveDocs('http://127.0.0.1:3000'))
    browser = await launchChromium()
    const context = await browser.newContext({ viewport: { width: 375, height: 800 }, colorScheme: 'dark' })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    page = await context.newPage()
    devtools = await context.newCDPSession(page)
    page.on('console', message => {
      if (message.type() === 'error') errors.push(message.text())
    })
  })
  after(async () => {
    await browser.close()
    await close()
  })

  for (const path of paths) {
    it(`${path} fits wide and narrow screens and shows its images`, async () => {
      await page.goto(`${address}${path}`)
      await expectToFit(page)
      const broken = '[...document.images].filter(image => image.naturalWidth === 0).map(image => image.src)'
      expect(await page.evaluate(broken)).to.deep.equal([])
      expect(errors).to.deep.equal([])
    })
  }

  it('has the list of pages beside a page, and folded above it on a phone', async () => {
    await page.setViewportSize({ width: 1_280, height: 800 })
    await page.goto(`${address}/docs/webhooks`)
    const link = page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Errors' })
    await link.click()
    await page.waitForURL('**/docs/errors')
    await page.setViewportSize({ width: 375, height: 800 })
    const top = async () => (await page.getByRole('heading', { level: 1 }).boundingBox())?.y
    expect(await top()).to.be.below(200)
    await page.getByText('All pages').click()
    await page
      .getByRole('navigation', { name: 'Documentation' })
      .getByRole('link', { name: 'Webhooks' })
      .click()
    await page.waitForURL('**/docs/webhooks')
  })

  // Together they have every kind of element.
  for (const path of [
    '/docs',
    '/docs/api',
    '/docs/life-cycle',
    '/docs/going-live',
    '/docs/search?q=signature',
  ]) {
    it(`${path} is accessible in both themes`, async () => {
      await page.goto(`${address}${path}`)
      expect(await accessibilityViolations(devtools)).to.deep.equal([])
      await page.emulateMedia({ colorScheme: 'light' })
      expect(await accessibilityViolations(devtools, ['wcag2aa'])).to.deep.equal([])
      await page.emulateMedia({ colorScheme: 'dark' })
    })
  }

  it('copies a sample with the button above it', async () => {
    await page.goto(`${address}/docs/webhooks`)
    const sample = page.locator('figure', { hasText: 'receiver.mjs' }).first()
    await sample.getByRole('button', { name: 'Copy' }).click()
    await sample.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    expect(copied).to.equal(await sample.locator('code').textContent())
  })

  it('copies a page as Markdown, and shows the Markdown where the clipboard is refused', async () => {
    await page.goto(`${address}/docs/coding-agents`)
    await page.getByRole('button', { name: 'Copy page' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const markdown = await (await fetch(`${address}/docs/coding-agents.md`)).text()
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(markdown)
    expect(errors).to.deep.equal([])

    const refused = await page.context().newPage()
    await refused.addInitScript(
      'navigator.clipboard.write = () => Promise.reject(new DOMException("", "NotAllowedError"))',
    )
    await refused.goto(`${address}/docs/coding-agents`)
    await refused.getByRole('button', { name: 'Copy page' }).click()
    await refused.waitForURL(`${address}/docs/coding-agents.md`)
    await refused.close()
  })

  it('shows results while typing, which the keyboard reaches and leaves', async () => {
    await page.goto(`${address}/docs`)
    await page.keyboard.press('/')
    const first = page.locator('form .results a').first()
    // At once, so that the results are not replaced by those of more letters.
    await page.keyboard.insertText('signatur')
    await first.waitFor()
    expect(await accessibilityViolations(devtools)).to.deep.equal([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${address}/docs/webhooks#signatures`)
    await page.keyboard.press('/')
    await page.keyboard.insertText('signatur')
    await first.waitFor()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Escape')
    expect(await page.locator('form .results').count()).to.equal(0)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${address}/docs/search?q=signatur`)
    expect(errors).to.deep.equal([])
  })

  it('searches without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const plain = await context.newPage()
    await plain.goto(`${address}/docs/errors`)
    await plain.getByRole('searchbox').fill('signatures')
    await plain.getByRole('searchbox').press('Enter')
    await plain.getByRole('link', { name: 'Webhooks: Signatures' }).click()
    await plain.waitForURL(`${address}/docs/webhooks#signatures`)
    expect(await plain.getByRole('button').count()).to.equal(0)
    await context.close()
  })
})
