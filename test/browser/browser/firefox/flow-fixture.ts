import { randomBytes } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { eventually } from '../../../harness/eventually.ts'
import { sharedResource } from '../../../harness/run/shared-resources.ts'
import type { SharedService } from '../../../harness/run/shared-service.ts'
import { createDemoTenant, type NewTenant } from '../tenants.ts'
import { type LaunchedFirefox, launchFirefox } from './launch-firefox.ts'
import { readSavedFile, type SavedFile } from './saved-file.ts'
import { words } from './words.ts'

interface FirefoxUser {
  page: Page
  /** The file that the browser saves after an action. */
  download(action: () => Promise<void>): Promise<SavedFile>
}

export interface FlowFixture extends NewTenant {
  service: SharedService
  /** A user who has opened a page of the dashboard and signed in: a member by role, or somebody new by another name. */
  signIn(name: string, path: string): Promise<FirefoxUser>
}

/** The shared service, with a tenant for the surrounding `describe`, in Firefox. */
export function flowFixture(): FlowFixture {
  const domain = `${randomBytes(4).toString('hex')}.example`
  const subjectOf = (name: string) => `${name}@${domain}`
  const fixture: Partial<FlowFixture> = {}
  let firefox: LaunchedFirefox
  before('open the browser', async function () {
    this.timeout(120_000)
    fixture.service = await sharedResource<SharedService>('service')
    Object.assign(fixture, await createDemoTenant(fixture.service, subjectOf))
    firefox = await launchFirefox()
  })
  after(() => firefox?.close())
  fixture.signIn = async (name, path) => {
    const context = await firefox.browser.newContext({ viewport: { width: 1_280, height: 860 } })
    const page = await context.newPage()
    await page.goto(`${fixture.service!.baseUrl}/dashboard${path}`)
    const field = page.getByRole('textbox', { name: 'Sign in as another user' })
    await enter(field, subjectOf(name))
    await field.press('Enter')
    await page.getByRole('link', { name: words.signedIn }).waitFor()
    return { page, download: action => readSavedFile(firefox.downloads, action) }
  }
  return fixture as FlowFixture
}

/** Replaces what is in a field, by keys: Firefox would change it without telling React. */
export async function enter(field: Locator, text: string): Promise<void> {
  await field.press('Control+A')
  await field.pressSequentially(text)
}

/** Waits until an element shows a text, and returns all that it shows. */
export async function shownText(locator: Locator, pattern: RegExp): Promise<string> {
  const shown = await eventually(() => locator.textContent(), { until: text => pattern.test(text ?? '') })
  return shown ?? ''
}

/** From now on, the service accepts no token of this page, until the returned function is called. */
export async function rejectTokens(page: Page): Promise<() => Promise<void>> {
  const body = { error: { message: 'Not signed in.', code: -32001, data: unauthenticated } }
  await page.evaluate(`(() => {
    const { fetch } = globalThis
    globalThis.acceptTokens = () => void (globalThis.fetch = fetch)
    globalThis.fetch = async (url, init) => {
      const { pathname } = new URL(url, location.href)
      if (!pathname.startsWith('/console/')) return await fetch(url, init)
      const results = pathname.split(',').map(() => (${JSON.stringify(body)}))
      return new Response(JSON.stringify(results), { status: 401, headers: { 'content-type': 'application/json' } })
    }
  })()`)
  return () => page.evaluate('acceptTokens()')
}

const unauthenticated = { code: 'UNAUTHORIZED', httpStatus: 401, error: 'UNAUTHENTICATED_TENANT' }
