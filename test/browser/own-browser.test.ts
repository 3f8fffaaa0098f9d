import { expect } from 'chai'
import type { Locator, Page, Route } from 'playwright-core'
import { operate } from '#test/harness/processes/operate.ts'
import { eventually } from '../harness/eventually.ts'
import { changeTexts, staleTexts, textsHeldByReact, type Way } from './browser/change-texts.ts'
import { callsProcedure } from './browser/console-responses.ts'
import { browserTitle, dashboardFixture } from './browser/dashboard-fixture.ts'
import type { DashboardUser } from './browser/dashboard-user.ts'
import { verify } from './browser/verify.ts'

const everyPage = [
  '/first-steps',
  '/overview',
  '/verifications',
  '/api-keys',
  '/settings',
  '/settings/webhook',
  '/settings/members',
  '/invitations',
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

  /** A user of a browser context of their own: what is added to a page stays there. */
  async function translated(way: Way): Promise<DashboardUser> {
    const user = await fixture.user('owner')
    await changeTexts(user.page, way)
    return user
  }
})

/** What answers in the service's place. */
const foreign: { name: string; response: Parameters<Route['fulfill']>[0]; says: string[]; button: string }[] =
  [
    {
      name: 'a challenge of Cloudflare',
      response: {
        status: 403,
        headers: { 'cf-mitigated': 'challenge', 'cf-ray': '8f2a-FRA', server: 'cloudflare' },
      },
      says: [
        'Something in front of the service answered 403',
        'HTTP 403, server: cloudflare, cf-mitigated: challenge, cf-ray: 8f2a-FRA',
        'Open the dashboard in another tab',
      ],
      button: 'Load the page again',
    },
    {
      name: 'a sign-in in front of it, which redirects',
      response: { status: 302, headers: { location: 'https://sign-in.example/' } },
      says: ['Something in front of the service redirected the request', 'HTTP redirect'],
      button: 'Load the page again',
    },
    {
      name: 'a network that wants the user to sign in',
      response: { status: 200 },
      says: ['Something in front of the service answered 200'],
      button: 'Load the page again',
    },
    {
      name: 'a proxy that finds no service, in JSON of its own',
      response: { status: 503, contentType: 'application/json', body: '{"error":"INTERNAL_ERROR"}' },
      says: ['Something in front of the service answered 503', 'Wait a moment, then try again.'],
      button: 'Try again',
    },
    ...[
      '',
      '{"result":{"data":{',
      '{"result":{}}',
      '{"error":{"message":"no","code":1,"data":{"code":"FORBIDDEN"}}}',
    ].map(body => ({
      name: `a proxy with ${body || 'nothing'} as JSON`,
      response: { status: 403, contentType: 'application/json', body },
      says: ['Something in front of the service answered 403'],
      button: 'Load the page again',
    })),
    {
      name: 'a CSV file in place of a page of events',
      response: { status: 200, contentType: 'text/csv', body: 'a,b' },
      says: ['Something in front of the service answered 200'],
      button: 'Load the page again',
    },
    {
      name: 'a network whose proxy wants the user to sign in',
      response: { status: 511 },
      says: ['Something in front of the service answered 511', 'Sign in to your network'],
      button: 'Load the page again',
    },
    {
      name: 'a proxy that refuses the request itself',
      response: { status: 413 },
      says: [
        'Something in front of the service answered 413',
        'Send the response to the administrator of your',
      ],
      button: 'Load the page again',
    },
    {
      name: 'a proxy to which the request is too early',
      response: { status: 425, headers: { 'retry-after': '0' } },
      says: ['Something in front of the service answered 425', 'Wait a moment, then try again.'],
      button: 'Try again',
    },
  ]

/** Answers to an export that are no file of the service. */
const noExports: { name: string; response: Parameters<Route['fulfill']>[0]; says: string }[] = [
  { name: 'JSON', response: { status: 200, json: {} }, says: 'HTTP 200' },
  { name: 'an empty file', response: { status: 200, contentType: 'text/csv', body: '' }, says: 'HTTP 200' },
  {
    name: 'a file that is an error',
    response: { status: 502, contentType: 'text/csv', body: 'a\n' },
    says: 'HTTP 502',
  },
  {
    name: 'an error of a proxy',
    response: { status: 403, json: { message: 'no' }, headers: { 'cf-ray': '8f2a' } },
    says: 'HTTP 403, cf-ray: 8f2a',
  },
]

describe(browserTitle('the browser and the network of a user'), () => {
  const fixture = dashboardFixture()
  let user: DashboardUser
  before(async () => {
    await verify(fixture, 'open')
    user = await fixture.user('owner')
    await user.page.clock.install()
  })
  afterEach(() => user.page.unrouteAll({ behavior: 'ignoreErrors' }))

  for (const { name, response, says, button } of foreign) {
    it(`name ${name}, and what to do`, async () => {
      const { page } = user
      let requests = 0
      await page.route(callsProcedure('audit.list'), async route => {
        requests++
        await route.fulfill({ contentType: 'text/html', body: '<h1>Sorry</h1>', ...response })
      })
      await user.openHeading('/audit-log')
      const alert = page.getByRole('alert').filter({ hasText: says[0]! })
      await eventually(async () => {
        await page.clock.fastForward(2_000)
        return await alert.isVisible()
      })
      for (const text of says) await alert.getByText(text).waitFor()
      await alert.getByRole('button', { name: button }).waitFor()
      await alert.getByRole('button', { name: 'Copy response' }).waitFor()
      expect(requests).to.equal(button === 'Try again' ? 3 : 1)
    })
  }

  for (const { name, response, says } of noExports) {
    it(`save no file for ${name}, and say what answered the export`, async () => {
      const { page } = user
      let files = 0
      page.on('download', () => files++)
      await user.open('/audit-log')
      await page.route('**/console/exports/**', route => route.fulfill(response))
      await page.getByRole('button', { name: 'Export CSV' }).click()
      const notification = page.getByRole('alert').filter({ hasText: 'The export failed' }).last()
      await notification.getByText(`answered ${response!.status}`).getByText(`Response: ${says}`).waitFor()
      expect(files).to.equal(0)
      page.removeAllListeners('download')
    })
  }

  it('may keep a session that is damaged, or of another version: the page loads it anew', async () => {
    const { page } = user
    const key = 'age-verification.session'
    for (const damage of [
      `'{"bad'`,
      `'[1]'`,
      `JSON.stringify({ ...stored, version: 'another' })`,
      `JSON.stringify({ ...stored, memberships: [{}] })`,
      `JSON.stringify({ ...stored, standing: { tenantId: stored.standing.tenantId } })`,
    ]) {
      await user.open('/billing')
      await page.waitForFunction(`localStorage.getItem('${key}')?.includes('"usage"')`)
      await page.evaluate(
        `{ const stored = JSON.parse(localStorage.getItem('${key}')); localStorage.setItem('${key}', ${damage}) }`,
      )
      await user.open('/overview')
      await page.getByText('Completion rate').waitFor()
      expect(await page.getByText('Something went wrong').count(), damage).to.equal(0)
    }
  })

  for (const form of ['seconds', 'a date']) {
    it(`send nothing while a proxy says by ${form} in Retry-After to wait, polls included`, async () => {
      const { page } = user
      await user.open('/verifications')
      let requests = 0
      await page.route('**/console/verifications.*', async route => {
        requests++
        const at = (seconds: number) => new Date(Date.now() + seconds * 1_000).toUTCString()
        const headers = { 'retry-after': form === 'seconds' ? '55' : at(55), date: at(0) }
        await route.fulfill({ status: 429, headers, contentType: 'text/html', body: 'Slow down' })
      })
      await page.clock.fastForward(10_000)
      await page.getByText(/^Not updated since /).waitFor()
      const refused = requests
      await page.clock.runFor(25_000)
      expect(requests).to.equal(refused)
      await page.unrouteAll()
      await page.clock.runFor(50_000)
      await page.getByText(/^Updated /).waitFor()
    })
  }
})

async function expectIntact(user: DashboardUser, where: string): Promise<void> {
  const { page } = user
  expect(await page.getByText('Something went wrong').count(), where).to.equal(0)
  expect(await textsHeldByReact(page), where).to.deep.equal([])
  await eventually(() => staleTexts(page), { until: texts => texts.length === 0 })
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
    // What an earlier click opened may come late, and cover this one.
    await eventually(
      async () => {
        await closeOpened(page)
        // A control may be gone with what an earlier one had opened.
        if (index < (await controls.count())) await controls.nth(index).click({ timeout: 5_000 })
      },
      { until: () => true, timeoutMs: 30_000 },
    )
    await closeOpened(page)
    await expectIntact(user, `${path}: ${name}`)
    if (!page.url().includes(path)) await user.open(path)
  }
  expect([...used], path).to.have.length.greaterThan(1)
}

/** Also what opens only after its code is loaded. */
async function closeOpened(page: Page): Promise<void> {
  const opened = page.locator(':is([role=dialog], [role=menu], [role=listbox], :popover-open):visible')
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
