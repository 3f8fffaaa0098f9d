import { expect } from 'chai'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Browser, Page } from 'playwright-core'
import { monthlyEvidence } from '#domain/evidence/monthly-evidence.ts'
import { forTenant } from '#domain/scope.ts'
import { signRecord } from '#domain/signing-key/sign-record.ts'
import { renameTenant } from '#domain/tenant/change-settings.ts'
import { createTestTenant } from '../harness/test-service.ts'
import { useService } from '../harness/use-service.ts'
import { accessibilityViolations } from './browser/accessibility.ts'
import { installedChromium, launchChromium } from './browser/chromium.ts'
import { browserTitle } from './browser/dashboard-fixture.ts'
import { expectToFit } from './browser/expect-to-fit.ts'

describe(browserTitle('The page of signed evidence and receipts'), () => {
  const service = useService({ env: { PRACTICE: '{"controller":"Example Ltd, 1 High Street, London"}' } })
  const problems: string[] = []
  let browser: Browser
  let page: Page
  let tenantId: string
  let evidence: string
  before(async function () {
    if (installedChromium.isMissing) this.skip()
    browser = await launchChromium()
    page = await browser.newPage()
    page.on('console', message => message.type() === 'error' && problems.push(message.text()))
    const tenant = await createTestTenant(service, { test: true })
    tenantId = tenant.tenantId
    const operator = forTenant(service.operator(), tenantId)
    await renameTenant(operator, { name: '<b>Shop</b>' })
    evidence = await monthlyEvidence(operator, { month: operator.now.toISOString().slice(0, 7) })
  })
  beforeEach(() => page.goto(`${service.baseUrl}/evidence`))
  after(() => browser?.close())

  const shown = () => page.locator('#signed').innerText()
  const open = async (...texts: string[]) => {
    const files = texts.map(text => ({ name: 'file', mimeType: 'text/plain', buffer: Buffer.from(text) }))
    await page.locator('#files').setInputFiles(files)
    await page.locator('#signed .note').first().waitFor()
    return await shown()
  }

  it('shows who signed what for whom, that it adds up, and that it is a test', async () => {
    const text = await open(`${evidence}\n`)
    for (const part of [
      `The signature is right. ${service.baseUrl}/test signed this`,
      'Example Ltd, 1 High Street, London',
      `<b>Shop</b> (${tenantId})`,
      'A test tenant.',
      'The month was not over.',
      'Adds up: 0 = 0',
    ])
      expect(text).to.include(part)
    expect(problems).to.deep.equal([])
  })

  it('fits narrow screens and paper, and is accessible in both themes', async () => {
    await open(evidence)
    await expectToFit(page)
    const devtools = await page.context().newCDPSession(page)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await accessibilityViolations(devtools), colorScheme).to.deep.equal([])
    }
    await page.emulateMedia({ media: 'print', colorScheme: null })
    expect(await page.getByText('Open the file').isVisible()).to.equal(false)
    expect(await page.getByRole('table').first().isVisible()).to.equal(true)
    await page.emulateMedia({ media: null })
  })

  it('says of what is not authentic why, and shows nothing of it', async () => {
    const [head, payload, signature] = evidence.split('.') as [string, string, string]
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify({ ...claims, month: '2020-01' })).toString('base64url')
    const old = JSON.stringify({ counts: {}, jws: evidence })
    for (const [texts, message] of [
      [[`${head}.${forged}.${signature}`], /^Not verified. The signature is wrong: the file was changed/],
      [[`${head}.${payload}`], /^Not verified. This is no signed file/],
      [[old], /^Not verified. This is JSON without keys/],
      [[evidence, evidence], /^Not verified. Open one signed file/],
    ] as const) {
      const text = await open(...texts)
      expect(text).to.match(message).and.not.include('Shop')
      await page.reload()
    }
  })

  it('shows what was signed by a key that was kept, not as the service’s, and whether that adds up', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const kept = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'kept' }] })
    const claims = JSON.parse(Buffer.from(evidence.split('.')[1]!, 'base64url').toString())
    const wrong = { ...claims, counts: { ...claims.counts, started: 1 } }
    const header = { alg: 'ES256', typ: 'age-evidence+jwt', kid: 'kept' }
    const signed = await new SignJWT(wrong).setProtectedHeader(header).sign(privateKey)
    expect(await open(signed)).to.include('The service does not publish the key kept')
    await page.reload()
    const text = await open(signed, kept)
    expect(text).to.include('The signature fits the keys that you opened.').and.not.include('is right')
    expect(text).to.include('Does not add up: 1 and 0')
  })

  it('shows the receipt of an erasure that is pasted', async () => {
    const erasure = {
      verificationId: 'one',
      erasedAt: new Date(0),
      session: { state: 'not_asked', place: null },
    }
    const scope = forTenant(service.operator(), tenantId)
    await page.locator('#text').fill(await signRecord(scope, 'erasure-receipt+jwt', erasure, true))
    await page.getByRole('heading', { name: 'Receipt of an erasure' }).waitFor()
    expect(await shown()).to.match(
      /Verification id\none\nErased at\n1 Jan 1970, 00:00 UTC\nSession state\nnot asked/,
    )
  })
})
