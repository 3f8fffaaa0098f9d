import type { Browser } from 'playwright-core'
import { type ServiceFixture, serviceFixture } from '#test/harness/processes/service-fixture.ts'
import type { ServiceProcess } from '#test/harness/processes/service-process.ts'
import { pendingTitle } from '../../harness/pending.ts'
import { installedChromium, launchChromium } from './chromium.ts'
import { DashboardUser } from './dashboard-user.ts'

export interface DashboardFixture {
  service: ServiceProcess
  /**
   * A signed-in user, in a browser context that no other open user has. The names are those of the local sign-in
   * provider.
   */
  user(name: string, options?: UserOptions): Promise<DashboardUser>
}

export interface UserOptions {
  path?: string
  colorScheme?: 'light' | 'dark'
  width?: number
}

/** The title of a suite that needs a browser; it names the reason if the suite is pending. */
export function browserTitle(title: string): string {
  return installedChromium.isMissing ? pendingTitle(title, installedChromium.reason) : title
}

/** The service as `npm start` runs it, with further environment variables, and a browser. */
export function dashboardFixture(env: Record<string, string> = {}): DashboardFixture {
  before(function () {
    if (installedChromium.isMissing) this.skip()
  })
  const services: ServiceFixture = serviceFixture()
  let browser: Browser | undefined
  /** By name: a user who was closed is still signed in, which saves the next one a second of CPU time. */
  const closed = new Map<string, DashboardUser>()
  const fixture: Partial<DashboardFixture> = {
    async user(name, options = {}) {
      const user = closed.get(name)
      closed.delete(name)
      if (user) await user.reopen(options)
      const onClose = (user: DashboardUser) => void closed.set(name, user)
      return user ?? (await DashboardUser.signIn(browser!, fixture.service!.baseUrl, name, options, onClose))
    },
  }
  before(async function () {
    this.timeout(120_000)
    fixture.service = await services.start({ env })
    browser = await launchChromium()
  })
  after(async () => {
    await browser?.close()
  })
  return fixture as DashboardFixture
}
