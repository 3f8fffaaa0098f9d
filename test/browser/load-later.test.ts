import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'
import { overlaysAreMissing } from './browser/missing-parts.ts'

const typed = 'Half a name'

describe(
  browserTitle('what opens over a page of the dashboard, and is loaded after the first one'),
  function () {
    this.timeout(60_000)
    const fixture = dashboardFixture()
    let user: DashboardUser
    let page: Page
    let field: Locator
    before(async () => {
      user = await fixture.user('Olivia Owner')
      ;({ page } = user)
      field = page.getByRole('textbox', { name: 'Name', exact: true })
    })
    afterEach('restore the network and the window', async () => {
      await page.context().setOffline(false)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await user.setWidth(1_280)
    })

    for (const { name, width, button, opened } of [
      { name: 'search', width: 1_280, button: /^Search/, opened: 'dialog' },
      { name: 'menu of the user', width: 1_280, button: /^Signed in as/, opened: 'menu' },
      { name: 'menu of the theme', width: 375, button: /^Theme/, opened: 'menu' },
      { name: 'navigation', width: 375, button: 'Open navigation', opened: 'dialog' },
    ] as const) {
      it(`keep what was typed while the ${name} can't be loaded, say so, and open as soon as it is`, async () => {
        await user.setWidth(width)
        await overlaysAreMissing(page)
        await openForm()
        const opener = page.getByRole('button', { name: button })
        await opener.click()
        await page.getByRole('status').getByText('This is still loading.').waitFor()
        expect(await field.inputValue()).to.equal(typed)
        expect(await page.getByRole(opened).count()).to.equal(0)
        expect(await user.accessibilityViolations()).to.deep.equal([])
        await page.unrouteAll()
        await page.getByRole(opened).waitFor()
        await page.getByText('This is still loading.').waitFor({ state: 'hidden' })
        await page.keyboard.press('Escape')
        await page.getByRole(opened).waitFor({ state: 'hidden' })
        await opener.and(page.locator(':focus')).waitFor()
        expect(await field.inputValue()).to.equal(typed)
      })
    }

    it('say that a change was saved as soon as its notification can be loaded', async () => {
      await overlaysAreMissing(page)
      await openForm()
      const name = `Tenant ${Date.now()}`
      await field.fill(name)
      await page.getByRole('button', { name: 'Save name' }).click()
      await page.getByRole('button', { name: 'Save name', disabled: true }).waitFor()
      expect(await field.inputValue()).to.equal(name)
      await page.unrouteAll()
      await page.getByRole('status').getByText('Name saved.').waitFor()
    })

    async function openForm() {
      await user.open('/settings')
      await field.fill(typed)
    }
  },
)
