import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { operate } from '#test/harness/processes/operate.ts'
import { eventually } from '../harness/eventually.ts'
import { call, tenantClient } from '../harness/tenant-client.ts'
import { changeTexts, staleTexts, textsHeldByReact, type Way } from './browser/change-texts.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'

const everyPage = [
  '/first-steps',
  '/overview',
  '/verifications',
  '/api-keys',
  '/settings',
  '/settings/webhook',
  '/settings/members',
  '/invitations',
  '/tools/token',
  '/billing',
  '/audit-log',
]

const main = ['/overview', '/verifications', '/api-keys']

/** So many controls of a page are used; those of the rows of a table differ by their names only. */
const controlsMax = 12

describe(browserTitle('a page whose texts are changed'), function () {
  this.timeout(120_000)
  const fixture = dashboardFixture()
  before('write a history, so that every page has something', async () => {
    const { service, tenantId } = fixture
    await operate(service, 'demo', 'seed', '--tenant', tenantId, '--verifications', '120')
  })

  for (const { way, by, paths } of [
    { way: 'translateAsChrome', by: 'by the translation of Chrome or Edge', paths: everyPage },
    { way: 'translateAsFirefox', by: 'by the translation of Firefox', paths: main },
    { way: 'addElements', by: 'by an extension that adds elements', paths: main },
  ] satisfies { way: Way; by: string; paths: string[] }[]) {
    it(`${by} works on: each control can be used, nothing crashes, no word is an old one`, async () => {
      const user = await translated(way)
      for (const path of paths) {
        await user.open(path)
        await expectIntact(user, path)
        await useControls(user, path)
      }
      await user.page.context().close()
    })
  }

  it('by a translation follows the data: pausing, paging, a connection that comes and goes, a verification that goes on', async () => {
    const user = await translated('translateAsChrome')
    const { page } = user
    const shown = (text: RegExp) => page.getByText(text).filter({ visible: true }).first().waitFor()
    await user.open('/verifications')
    await page.getByRole('button', { name: 'Pause updates' }).click()
    await shown(/^⟦Paused\. Updated .*⟧$/)
    await page.getByRole('button', { name: 'Resume updates' }).click()
    await shown(/^⟦Updated [1-9] sec\. ago⟧$/)
    await page.route('**/console/**', route => route.abort())
    await shown(/^⟦Not updated since .*⟧$/)
    await page.context().setOffline(true)
    await shown(/^⟦You are offline\. Not updated since .*⟧$/)
    await page.context().setOffline(false)
    await page.unroute('**/console/**')
    await shown(/^⟦Updated /)
    await page.getByRole('button', { name: 'Older' }).click()
    await page.getByRole('button', { name: 'Newer' }).click()
    await expectIntact(user, 'after paging')

    const { verificationId, sessionUrl } = (await tenantClient(fixture.service, fixture).start()).body
    await call(sessionUrl)
    await user.open(`/verifications/${verificationId}`)
    const panel = page.getByRole('dialog', { name: 'Verification' })
    await panel.getByText(/it ends as.*rejected/).waitFor()
    await call(`${sessionUrl}/submit`, { method: 'POST' })
    await panel.getByText(/it ends as.*submitted/).waitFor()
    await expectIntact(user, 'after a submission')
    await user.page.context().close()
  })

  /** A user of a browser context of their own: what is added to a page stays there. */
  async function translated(way: Way): Promise<DashboardUser> {
    const user = await fixture.user('owner')
    await changeTexts(user.page, way)
    return user
  }
})

async function expectIntact(user: DashboardUser, where: string): Promise<void> {
  const { page } = user
  expect(await page.getByText('Something went wrong').count(), where).to.equal(0)
  expect(await textsHeldByReact(page), where).to.deep.equal([])
  await eventually(() => staleTexts(page), { until: texts => texts.length === 0, timeoutMs: 3_000 })
}

/** Clicks every kind of control of the page, and closes what opens. */
async function useControls(user: DashboardUser, path: string): Promise<void> {
  const { page } = user
  const controls = page.locator(
    ':is(main, header) :is(button, summary, [role=tab], [role=radio], [role=switch])',
  )
  // What opens over the page is loaded by then.
  await page.locator('.mantine-Notifications-root').first().waitFor({ state: 'attached' })
  const used = new Set<string>()
  for (let index = 0; index < (await controls.count()) && used.size < controlsMax; index++) {
    const name = await kindOf(controls.nth(index))
    if (name === undefined || used.has(name)) continue
    used.add(name)
    await controls.nth(index).click()
    await closeOpened(page)
    await expectIntact(user, `${path}: ${name}`)
    if (!page.url().includes(path)) await user.open(path)
  }
  expect([...used], path).to.have.length.greaterThan(2)
}

/** Also what opens only after its code is loaded. */
async function closeOpened(page: Page): Promise<void> {
  const opened = page.locator(':is([role=dialog], [role=menu], [role=listbox]):visible')
  const isClosed = async () => {
    await page.keyboard.press('Escape')
    return (await opened.count()) === 0
  }
  await eventually(isClosed)
}

/** The control's name without what differs between rows; undefined if it can't be used. */
async function kindOf(control: Locator): Promise<string | undefined> {
  if (!(await control.isVisible()) || !(await control.isEnabled())) return undefined
  const name = (await control.getAttribute('aria-label')) ?? (await control.textContent()) ?? ''
  return name.replace(/\d+|(?<= (for|of) ).*/g, '')
}
