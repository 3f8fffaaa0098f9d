import { X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { readReceivedEvents } from '#development/local-service.ts'
import type { WebhookReceiver } from '#development/webhook-receiver/start-webhook-receiver.ts'
import { call } from '../../harness/tenant-client.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { eventBody, post, secret, sign, startReceiver, tenantId } from './fixture.ts'

describe('the local webhook receiver', () => {
  const folder = temporaryFolder()
  let receiver: WebhookReceiver
  let lookedUp: string[]
  let secrets: () => string[]
  beforeEach(async () => {
    lookedUp = []
    secrets = () => [secret]
    const lookUp = async (tenant: string) => {
      lookedUp.push(tenant)
      return secrets()
    }
    receiver = await startReceiver(folder.path, { secrets: lookUp })
  })
  afterEach(() => receiver.close())

  /** The page, as a browser requests it. */
  const browse = () =>
    call(receiver.viewUrl, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })

  it('accepts an event signed with one of the tenant’s secrets, over TLS, and shows it unchanged', async () => {
    const body = eventBody('one')
    secrets = () => ['whsec_newer', secret]
    expect(await post(receiver, body)).to.equal(200)
    const [shown] = await readReceivedEvents(receiver.viewUrl)
    expect(Date.now() - Date.parse(shown!.receivedAt)).to.be.within(0, 20_000)
    expect(shown).to.deep.include({
      signature: 'valid',
      headers: { 'x-webhook-event': 'verification.completed', 'x-webhook-signature': sign(body) },
      body: JSON.parse(body),
      raw: body,
    })
    expect(lookedUp).to.deep.equal([tenantId])
  })

  it('responds 401 to an event without a valid signature, and shows it as invalid', async () => {
    const body = eventBody('wrong')
    for (const signature of [null, sign(body, 'whsec_other')]) {
      expect(await post(receiver, body, signature)).to.equal(401)
      expect((await readReceivedEvents(receiver.viewUrl))[0]).to.include({ signature: 'invalid', raw: body })
    }
  })

  it('responds 400 to more than 64 KiB, 503 if the secrets cannot be looked up, and stores neither', async () => {
    const before = await readReceivedEvents(receiver.viewUrl)
    expect(await post(receiver, Buffer.alloc(64 * 1024 + 1, 'a'))).to.equal(400)
    secrets = () => {
      throw new Error('the database is unavailable')
    }
    expect(await post(receiver, eventBody('later'))).to.equal(503)
    expect(await readReceivedEvents(receiver.viewUrl)).to.deep.equal(before)
  })

  it('shows the events as a page without scripts, with all values escaped', async () => {
    await post(receiver, eventBody('<script>alert(1)</script>'))
    await post(receiver, eventBody('forged'), 'f00')
    const { headers, body } = await browse()
    expect(body).to.contain('Valid signature').and.contain('Invalid signature').and.contain('&lt;script&gt;')
    expect(body).to.not.match(/<script|\son\w+=|style=/)
    expect(headers.get('content-security-policy')).to.contain("default-src 'none'")
    const style = await call(new URL('/page.css', receiver.viewUrl).href)
    expect(style.headers.get('content-type')).to.contain('text/css')
    const unsigned = await call(receiver.viewUrl, { method: 'POST', raw: eventBody('plain') })
    expect(unsigned.status, 'an event over plain HTTP').to.equal(404)
  })

  it('keeps its certificate, which can sign no other, and whose key only its owner can read', async () => {
    const authority = await readFile(receiver.authorityFile, 'utf8')
    expect(authority).to.not.contain('PRIVATE KEY')
    expect(new X509Certificate(authority).ca).to.equal(false)
    const again = await startReceiver(folder.path)
    await again.close()
    expect(await readFile(again.authorityFile, 'utf8')).to.equal(authority)
    const key = await stat(join(folder.path, 'webhook-receiver-tls.pem'))
    expect(key.mode & 0o777).to.equal(0o600)
  })
})
