import type { Page } from 'playwright-core'
import { operate } from '#test/harness/processes/operate.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'

/** How much slower than this machine's the CPU is, and how often each interaction is measured. */
const slowdown = 4
const rounds = 5

interface Interaction {
  name: string
  act: (page: Page) => Promise<unknown>
  /** What is shown at its end. */
  shown: string
}

const link = (name: string) => (page: Page) =>
  page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name, exact: true }).click()
const firstRow = (page: Page) => page.locator('tbody a[data-row-link]').first().click()
const press = (key: string) => (page: Page) => page.keyboard.press(key)
const none = 'body:not(:has([role=dialog]))'

const interactions: Interaction[] = [
  { name: 'go to the verifications', act: link('Verifications'), shown: 'h1:text("Verifications")' },
  {
    name: 'choose the view Denied',
    act: page => page.getByRole('link', { name: 'Denied' }).click(),
    shown: none,
  },
  { name: 'open a verification', act: firstRow, shown: '#timeline' },
  { name: 'go to the next one', act: press('j'), shown: '#timeline' },
  { name: 'close the panel', act: press('Escape'), shown: none },
  { name: 'open the palette', act: press('Control+k'), shown: '[role=listbox]' },
  { name: 'type into the palette', act: press('a'), shown: '[role=listbox]' },
  { name: 'close the palette', act: press('Escape'), shown: none },
  { name: 'go to the audit log', act: link('Audit log'), shown: 'h1:text("Audit log")' },
  { name: 'go to the overview', act: link('Overview'), shown: 'h1:text("Overview")' },
]

describe(browserTitle('the dashboard on a slow device'), function () {
  this.timeout(180_000)
  const fixture = dashboardFixture()

  it('reacts to ten interactions, each in the time that is printed', async () => {
    await operate(fixture.service, 'demo', 'seed', '--tenant', fixture.tenantId, '--verifications', '120')
    const user = await fixture.user('owner')
    const { page } = user
    await page.addInitScript(observe)
    await user.open('/overview')
    await page.waitForLoadState('networkidle')
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    const durations = new Map(interactions.map(({ name }) => [name, [] as number[]]))
    for (let round = 0; round < rounds; round++) {
      for (const { name, act, shown } of interactions) {
        await page.evaluate('nextIdle().then(() => { interactions.length = 0 })')
        await act(page)
        await page.locator(shown).first().waitFor()
        await user.loaded()
        durations.get(name)!.push(await page.evaluate<number>('nextIdle().then(longest)'))
      }
    }
    await devtools.detach()
    for (const [name, all] of durations) {
      const median = all.toSorted((one, other) => one - other)[Math.floor(rounds / 2)]
      console.log(`      ${name}: ${median} ms (${all.join(', ')})`)
    }
    user.close()
  })
})

/** As web-vitals does for INP: the longest event of an interaction, from the input to the next frame that is drawn. */
const observe = `
  globalThis.interactions = []
  new PerformanceObserver(list => {
    interactions.push(...list.getEntries().filter(({ interactionId }) => interactionId))
  }).observe({ type: 'event', durationThreshold: 16 })
  globalThis.longest = () => Math.max(0, ...interactions.map(({ duration }) => duration))
  globalThis.nextIdle = () => new Promise(resolve => requestAnimationFrame(() => requestIdleCallback(() => setTimeout(resolve, 100))))
`
