import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { WebhookReceiver } from '#development/webhook-receiver/start-webhook-receiver.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { eventBody, pageOf, post, shownBy, startReceiver } from './fixture.ts'

describe('the local webhook receiver’s view', () => {
  const folder = temporaryFolder()
  let receiver: WebhookReceiver
  before(async () => {
    receiver = await startReceiver(folder.path)
    await post(receiver, eventBody('<script>alert(1)</script>'))
    await post(receiver, eventBody('forged'), 'f00')
  })
  after(() => receiver.close())

  it('explains how to get an event while there is none', async () => {
    const emptyFolder = join(folder.path, 'empty')
    await mkdir(emptyFolder)
    const empty = await startReceiver(emptyFolder)
    expect(await shownBy(empty)).to.deep.equal([])
    const page = await pageOf(empty)
    expect(page.status).to.equal(200)
    expect(await page.text())
      .to.contain('No events yet')
      .and.contain(empty.webhookUrl)
    await empty.close()
  })

  it('shows the events as a page without scripts, with all values escaped', async () => {
    const page = await pageOf(receiver)
    const text = await page.text()
    expect(text).to.contain('2 events').and.contain('Valid signature').and.contain('Invalid signature')
    expect(text).to.contain('&lt;script&gt;')
    expect(text).to.not.match(/<script|\son\w+=|style=/)
    expect(text.indexOf('forged')).to.be.lessThan(text.indexOf('alert(1)'))
    expect(page.headers.get('content-security-policy')).to.contain("default-src 'none'")
    expect(page.headers.get('vary')).to.contain('Accept')
    const style = await fetch(new URL('/events.css', receiver.viewUrl))
    expect(style.headers.get('content-type')).to.contain('text/css')
  })

  it('returns JSON to clients that accept JSON or anything', async () => {
    for (const accept of ['application/json', '*/*']) {
      const response = await fetch(receiver.viewUrl, { headers: { accept } })
      expect(response.headers.get('content-type')).to.contain('application/json')
      expect(((await response.json()) as { items: unknown[] }).items).to.have.length(2)
    }
  })

  it('accepts no events over plain HTTP', async () => {
    const response = await fetch(receiver.viewUrl, { method: 'POST', body: eventBody('plain') })
    expect(response.status).to.equal(404)
    expect(await shownBy(receiver)).to.have.length(2)
  })
})
