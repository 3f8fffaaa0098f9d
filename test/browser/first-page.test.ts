import { expect } from 'chai'
import type { CDPSession, Page } from 'playwright-core'
import { demoTenant } from '#test/harness/processes/demo-tenant.ts'
import { operate } from '#test/harness/processes/operate.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'

/** Bytes over the network, compressed and with headers: all that is requested until the overview has its data. */
const bytesMax = 230_000
const requestsMax = 18
/** Of the page that leaves for the sign-in: no framework, no components. */
const redirectBytesMax = 20 * 1_024

interface Loaded {
  url: string
  bytes: number
  /** In seconds, by the browser's clock. */
  requestedAt: number
  endedAt: number
}

describe(browserTitle('the first page of the dashboard'), function () {
  this.timeout(60_000)
  const fixture = dashboardFixture()

  it('takes few requests and bytes, and leaves for the sign-in before the application is loaded', async () => {
    const { tenantId } = await demoTenant(fixture.service)
    await operate(fixture.service, 'demo', 'seed', '--tenant', tenantId, '--verifications', '120')
    const user = await fixture.user('Olivia Owner')
    const context = await user.page.context().browser()!.newContext()
    const page = await context.newPage()
    const loaded = await recordTraffic(page)
    const dashboard = `${fixture.service.baseUrl}/dashboard/overview`
    await page.goto(dashboard)
    await page.getByRole('button', { name: /Olivia Owner/ }).waitFor()
    const before = loaded.splice(0).filter(({ url }) => url.includes('/dashboard'))
    expect(sum(before), summary(before)).to.be.lessThan(redirectBytesMax)
    await page.getByRole('button', { name: /Olivia Owner/ }).click()
    await page.getByRole('main').getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.locator('body:not(:has(.mantine-Skeleton-root))').waitFor()
    const own = [...before, ...untilData(loaded)].filter(({ url }) => url.startsWith(fixture.service.baseUrl))
    expect(sum(own), summary(own)).to.be.lessThan(bytesMax)
    expect(own.length, summary(own)).to.be.lessThan(requestsMax)
    await context.close()
  })
})

async function recordTraffic(page: Page): Promise<Loaded[]> {
  const devtools: CDPSession = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  const requests = new Map<string, { url: string; requestedAt: number }>()
  const loaded: Loaded[] = []
  devtools.on('Network.requestWillBeSent', ({ requestId, request: { url }, timestamp }) =>
    requests.set(requestId, { url, requestedAt: timestamp }),
  )
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength: bytes, timestamp }) => {
    const request = requests.get(requestId)
    if (request && bytes > 0) loaded.push({ ...request, bytes, endedAt: timestamp })
  })
  return loaded
}

/** Without what is loaded once the overview has its data, such as the code of dialogs. */
function untilData(loaded: Loaded[]): Loaded[] {
  const data = loaded.find(({ url }) => url.includes('usage.summary'))
  return loaded.filter(({ requestedAt }) => requestedAt <= data!.endedAt)
}

function sum(loaded: Loaded[]): number {
  return loaded.reduce((total, { bytes }) => total + bytes, 0)
}

function summary(loaded: Loaded[]): string {
  const lines = loaded.map(({ url, bytes }) => `${bytes} ${url.slice(0, 90)}`)
  return [`${sum(loaded)} bytes in ${loaded.length} requests:`, ...lines].join('\n')
}
