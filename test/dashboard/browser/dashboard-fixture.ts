import { type Browser, chromium } from 'playwright-core'
import { type ServiceFixture, serviceFixture } from '#test/faults/service/service-fixture.ts'
import type { ServiceProcess } from '#test/faults/service/service-process.ts'
import { chromiumPath } from './chromium.ts'
import { DashboardUser } from './dashboard-user.ts'

export interface DashboardFixture {
  service: ServiceProcess
  /** Another person with another browser, signed in. The names are those that the local sign-in offers. */
  user(name: string, options?: UserOptions): Promise<DashboardUser>
}

export interface UserOptions {
  path?: string
  colorScheme?: 'light' | 'dark'
  width?: number
}

/** What the tests of the browser begin with, so that it is plain why they did not run. */
export function inBrowser(title: string): string {
  return chromiumPath ? title : `${title} (pending: no chromium in /usr/bin or on the PATH)`
}

/** The service as `npm start` runs it, and a real browser in front of it. */
export function dashboardFixture(): DashboardFixture {
  before(function () {
    if (!chromiumPath) this.skip()
  })
  const services: ServiceFixture = serviceFixture()
  let browser: Browser | undefined
  const fixture: Partial<DashboardFixture> = {
    user: (name, options = {}) => DashboardUser.signIn(browser!, fixture.service!.baseUrl, name, options),
  }
  before(async function () {
    this.timeout(120_000)
    fixture.service = await services.start()
    browser = await chromium.launch({
      executablePath: chromiumPath!,
      args: ['--no-sandbox', '--disable-background-networking'],
    })
  })
  after(async () => {
    await browser?.close()
  })
  return fixture as DashboardFixture
}
