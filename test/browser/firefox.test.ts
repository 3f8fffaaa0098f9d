import { expect } from 'chai'
import { operate } from '#test/harness/processes/operate.ts'
import { eventually } from '../harness/eventually.ts'
import { describeWith } from '../harness/system-program.ts'
import { tenantClient } from '../harness/tenant-client.ts'
import { enter, flowFixture, rejectTokens, shownText } from './browser/firefox/flow-fixture.ts'
import { installedFirefox } from './browser/firefox/launch-firefox.ts'
import { words } from './browser/firefox/words.ts'
import { verify } from './browser/verify.ts'

describeWith([installedFirefox], 'the main flows in Firefox', function () {
  this.timeout(90_000)
  const fixture = flowFixture()

  it('sign a user in on the page that was opened, and keep the sign-in over a reload', async () => {
    const path = `/t/${fixture.tenantId}/verifications?status=denied`
    const { page } = await fixture.signIn('viewer', path)
    for (let loads = 0; loads < 2; loads++) {
      await page.getByRole('heading', { name: words.verifications }).waitFor()
      expect(await page.evaluate('location.pathname + location.search')).to.equal(`/dashboard${path}`)
      await page.reload()
    }
  })

  it('create a tenant and its first key, which works, is copied, and is not lost by Escape', async () => {
    const { page } = await fixture.signIn('newcomer', '/first-steps')
    await enter(page.getByRole('textbox', { name: words.tenantName }), 'Corner shop')
    await page.getByRole('button', { name: words.createTenant }).click()
    await page.getByRole('button', { name: words.createKey }).click()
    const dialog = page.getByRole('dialog')
    await enter(dialog.getByRole('textbox', { name: words.name }), 'Till')
    await dialog.getByRole('button', { name: words.createKey }).click()
    const apiKey = await shownText(page.getByRole('region', { name: words.keyAsText }), /^avk_test_\w{49}$/)
    expect((await tenantClient(fixture.service, { apiKey }).start()).status).to.equal(201)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: words.backToKey }).click()
    await page.getByRole('button', { name: words.copyKey }).click()
    await page.getByRole('button', { name: words.keyStored }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.goto(`${fixture.service.baseUrl}/dashboard/settings/webhook`)
    const field = page.getByRole('textbox', { name: words.webhookUrl })
    await field.press('Control+V')
    await eventually(() => field.inputValue(), { until: pasted => pasted === apiKey })
  })

  it('filter the list, open a verification beside it, and return to its row by Escape and Back', async () => {
    await verify(fixture, 'open', 'submit', { outcome: 'approve-adult' })
    const denied = await verify(fixture, 'open', 'submit', { outcome: 'decline', reasonCode: '102' })
    const { page } = await fixture.signIn('owner', '/verifications?status=denied')
    const link = page.getByRole('table', { name: words.verifications }).getByRole('link')
    const panel = page.getByRole('dialog', { name: words.verification })
    for (const close of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
      await link.click()
      await shownText(panel, words.tampered)
      expect(await page.evaluate('location.pathname')).to.contain(denied)
      await close()
      await panel.waitFor({ state: 'hidden' })
      await eventually(() => page.evaluate('document.activeElement.href ?? ""'), {
        until: href => String(href).includes(denied),
      })
      expect(await page.evaluate('location.search')).to.equal('?status=denied')
    }
  })

  it('go on where the session ended, after a sign-in in a window of its own', async () => {
    const { page } = await fixture.signIn('owner', '/settings')
    const field = page.getByRole('textbox', { name: words.exactName })
    await enter(field, 'A longer name')
    const acceptTokens = await rejectTokens(page)
    await page.getByRole('button', { name: words.saveName }).click()
    const ended = page.getByRole('dialog', { name: words.sessionEnded })
    const signIn = ended.getByRole('button', { name: words.signInAgain })
    await signIn.waitFor()
    await page.keyboard.press('Escape')
    await acceptTokens()
    await signIn.click()
    await ended.waitFor({ state: 'hidden' })
    const { tenantId: id } = fixture
    await eventually(async () => (await operate(fixture.service, 'tenant', 'show', '--tenant', id)).name, {
      until: name => name === 'A longer name',
    })
    await eventually(() => field.inputValue(), { until: shown => shown === 'A longer name' })
  })

  it('take days that are typed key by key', async () => {
    await verify(fixture)
    const { page } = await fixture.signIn('viewer', '/verifications')
    for (const [path, name] of [
      ['/overview', words.firstDay],
      ['/audit-log', words.from],
    ] as const) {
      await page.goto(`${fixture.service.baseUrl}/dashboard${path}?from=2025-10-31&to=2025-11-29`)
      const field = page.getByLabel(name, { exact: true })
      await field.waitFor()
      await field.focus()
      await page.keyboard.type('09152025')
      await eventually(() => page.evaluate('location.search'), {
        until: search => String(search).startsWith('?from=2025-09-15'),
      })
      expect(await field.inputValue()).to.match(/^2025-09-15/)
    }
  })

  it('save an export as a file', async () => {
    const { page, download } = await fixture.signIn('owner', '/verifications')
    const file = await download(() => page.getByRole('button', { name: words.exportCsv }).click())
    expect(file.fileName).to.match(/-verifications-.*\.csv$/)
    expect(file.text).to.match(/^\uFEFFverificationId,.*\r\n[\da-f]{8}-/)
  })
})
