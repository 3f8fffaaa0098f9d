import { randomBytes } from 'node:crypto'
import type { Browser } from 'playwright-core'
import type { Role } from '#domain/permissions.ts'
import { pendingTitle } from '../../harness/pending.ts'
import { sharedResource } from '../../harness/run/shared-resources.ts'
import type { SharedService } from '../../harness/run/shared-service.ts'
import { installedChromium, launchChromium } from './chromium.ts'
import { DashboardUser, type UserOptions } from './dashboard-user.ts'
import { createDemoTenant, type NewTenant } from './tenants.ts'

export interface DashboardFixture extends NewTenant {
  /** It is shared with the other test files. The tenant and its users are not. */
  service: SharedService
  browser: Browser
  /** A signed-in member of the tenant, or a user without one, in a browser context that no other open user has. */
  user(role: Role | 'newcomer', options?: UserOptions): Promise<DashboardUser>
}

/** The title of a suite that needs a browser; it names the reason if the suite is pending. */
export function browserTitle(title: string): string {
  return installedChromium.isMissing ? pendingTitle(title, installedChromium.reason) : title
}

/** The shared service, with a tenant for the surrounding `describe`, and a browser. */
export function dashboardFixture(): DashboardFixture {
  before(function () {
    if (installedChromium.isMissing) this.skip()
  })
  const domain = `${randomBytes(4).toString('hex')}.example`
  const subjectOf = (role: string) => `${role}@${domain}`
  /** By role: a user who was closed is still signed in, which saves the next one a second of CPU time. */
  const closed = new Map<string, DashboardUser>()
  const fixture: Partial<DashboardFixture> = {
    async user(role, options = {}) {
      const user = closed.get(role)
      closed.delete(role)
      if (user) await user.reopen(options)
      const onClose = (user: DashboardUser) => void closed.set(role, user)
      const { browser, service } = fixture as DashboardFixture
      return user ?? (await DashboardUser.signIn(browser, service.baseUrl, subjectOf(role), options, onClose))
    },
  }
  before('open the dashboard', async function () {
    this.timeout(120_000)
    fixture.service = await sharedResource<SharedService>('service')
    Object.assign(fixture, await createDemoTenant(fixture.service, subjectOf))
    fixture.browser = await launchChromium()
  })
  after(async () => {
    await fixture.browser?.close()
  })
  return fixture as DashboardFixture
}
