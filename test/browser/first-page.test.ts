import { expect } from 'chai'
import type { Page, Request } from 'playwright-core'
import { eventually } from '../harness/eventually.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'

/** Bytes over the network, compressed and with headers: all that is requested until the overview has its data. */
const bytesMax = 230_000
const requestsMax = 18
/** Of the page that leaves for the sign-in: no framework, no components. */
const redirectBytesMax = 20 * 1_024

interface Loaded {
  url: string
  bytes: number
  /** In milliseconds, by the browser's clock. */
  requestedAt: number
  endedAt: number
}

describe(browserTitle('the first page of the dashboard'), () => {
  const fixture = dashboardFixture()

  it('stores the name and email of the ID token for other members', async () => {
    const page = await fixture.browser.newPage()
    /** What the service has stored when the dashboard is loaded. */
    const storedProfile = async () => {
      const loaded = page.waitForResponse(response => response.url().includes('session.me'))
      await page.goto(`${fixture.service.baseUrl}/dashboard/overview`)
      const { result } = await (await loaded).json()
      return result.data.storedProfile
    }
    await page.goto(`${fixture.service.baseUrl}/dashboard/overview`)
    await page.getByRole('button', { name: /Olivia Owner/ }).click()
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    // The first load stores them, which no page waits for.
    const profile = await eventually(storedProfile, { until: stored => stored !== null })
    expect(profile).to.deep.equal({ name: 'Olivia Owner', email: 'owner@demo.example' })
    await page.close()
  })

  it('takes few requests and bytes, and leaves for the sign-in before the application is loaded', async () => {
    // A user of the demo tenant, which has a history, whose profile is stored.
    const page = await fixture.browser.newPage()
    const loaded = recordTraffic(page)
    const dashboard = `${fixture.service.baseUrl}/dashboard/overview`
    await page.goto(dashboard)
    await page.getByRole('button', { name: /Olivia Owner/ }).waitFor()
    const before = (await Promise.all(loaded.splice(0))).filter(({ url }) => url.includes('/dashboard'))
    expect(sum(before), summary(before)).to.be.lessThan(redirectBytesMax)
    await page.getByRole('button', { name: /Olivia Owner/ }).click()
    await page.getByRole('main').getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.locator('body:not(:has(.mantine-Skeleton-root))').waitFor()
    const files = `performance.getEntriesByType('resource').map(({ name }) => name).join()`
    await eventually(() => page.evaluate<string>(files), { until: names => /overlays[^,]*js/.test(names) })
    page.removeAllListeners('requestfinished')
    const visit = [...before, ...(await Promise.all(loaded))].filter(isNotCached)
    console.log(`      first visit: ${visit.length} requests, ${Math.ceil(sum(visit) / 1_024)} KiB`)
    const isOwn = ({ url }: Loaded) => url.startsWith(fixture.service.baseUrl)
    const own = [...before, ...untilData(await Promise.all(loaded))].filter(isOwn).filter(isNotCached)
    expect(sum(own), summary(own)).to.be.lessThan(bytesMax)
    expect(own.length, summary(own)).to.be.lessThan(requestsMax)
    await page.close()
  })
})

function recordTraffic(page: Page): Promise<Loaded>[] {
  const loaded: Promise<Loaded>[] = []
  page.on('requestfinished', request => loaded.push(measure(request)))
  return loaded
}

async function measure(request: Request): Promise<Loaded> {
  const { responseBodySize, responseHeadersSize } = await request.sizes()
  const { startTime, responseEnd } = request.timing()
  return {
    url: request.url(),
    bytes: responseBodySize + responseHeadersSize,
    requestedAt: startTime,
    endedAt: startTime + responseEnd,
  }
}

function isNotCached({ bytes }: Loaded): boolean {
  return bytes > 0
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
