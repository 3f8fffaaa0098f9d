import { X509Certificate } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import type { WebhookReceiver } from '#development/webhook-receiver/start-webhook-receiver.ts'
import { StartError } from '#server/start-error.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { eventBody, post, secret, shownBy, sign, startReceiver, tenantId } from './fixture.ts'

describe('the local webhook receiver', () => {
  const folder = temporaryFolder()
  const now = () => new Date('2026-11-20T10:00:00.123Z')
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
    receiver = await startReceiver(folder.path, { now, secrets: lookUp })
  })
  afterEach(() => receiver.close())

  it('explains how to get an event while there is none', async () => {
    const page = await browse()
    expect(page.status).to.equal(200)
    expect(await page.text())
      .to.contain('No events yet')
      .and.contain(receiver.webhookUrl)
  })

  it('accepts an event signed with one of the tenant’s secrets, over TLS, and shows it unchanged', async () => {
    const body = eventBody('one')
    secrets = () => ['whsec_newer', secret]
    expect(await post(receiver, body)).to.equal(200)
    expect((await shownBy(receiver))[0]).to.deep.equal({
      receivedAt: '2026-11-20T10:00:00.123Z',
      signature: 'valid',
      headers: { 'x-webhook-event': 'verification.completed', 'x-webhook-signature': sign(body) },
      body: JSON.parse(body),
      raw: body,
    })
    expect(lookedUp).to.deep.equal([tenantId])
  })

  const body = eventBody('wrong')
  const invalid: [string, string | null][] = [
    ['no signature', null],
    ['a truncated signature', sign(body).slice(0, 40)],
    ['a signature of another body', sign(`${body} `)],
    ['a signature with another secret', sign(body, 'whsec_other')],
    ['a signature with other characters than hex', 'ä'.repeat(64)],
  ]
  for (const [name, signature] of invalid) {
    it(`responds 401 to ${name}, and shows the event as invalid`, async () => {
      expect(await post(receiver, body, signature)).to.equal(401)
      expect((await shownBy(receiver))[0]).to.include({ signature: 'invalid', raw: body })
    })
  }

  it('responds 401 to a body without a tenant id, without looking up secrets', async () => {
    for (const unnamed of ['{}', '[1]', 'no json', '{"tenantId":"\' or 1=1"}', '']) {
      expect(await post(receiver, unnamed), unnamed).to.equal(401)
    }
    expect(lookedUp).to.deep.equal([])
    expect((await shownBy(receiver))[2]).to.include({ raw: 'no json', body: null })
  })

  it('responds 400 to more than 64 KiB, 503 if the secrets cannot be looked up, and stores neither', async () => {
    const before = await shownBy(receiver)
    expect(await post(receiver, Buffer.alloc(64 * 1024 + 1, 'a'))).to.equal(400)
    secrets = () => {
      throw new Error('the database is unavailable')
    }
    expect(await post(receiver, eventBody('later'))).to.equal(503)
    expect(await shownBy(receiver)).to.deep.equal(before)
  })

  it('shows the events as a page without scripts, with all values escaped, or as JSON', async () => {
    await post(receiver, eventBody('<script>alert(1)</script>'))
    await post(receiver, eventBody('forged'), 'f00')
    const page = await browse()
    const text = await page.text()
    expect(text).to.contain('Valid signature').and.contain('Invalid signature').and.contain('&lt;script&gt;')
    expect(text).to.not.match(/<script|\son\w+=|style=/)
    expect(text.indexOf('forged')).to.be.lessThan(text.indexOf('alert(1)'))
    expect(page.headers.get('content-security-policy')).to.contain("default-src 'none'")
    expect(page.headers.get('vary')).to.contain('Accept')
    const style = await fetch(new URL('/events.css', receiver.viewUrl))
    expect(style.headers.get('content-type')).to.contain('text/css')
    const json = await fetch(receiver.viewUrl)
    expect(json.headers.get('content-type')).to.contain('application/json')
    const unsigned = await fetch(receiver.viewUrl, { method: 'POST', body: eventBody('plain') })
    expect(unsigned.status, 'an event over plain HTTP').to.equal(404)
  })

  it('keeps the last 200 of many concurrent events across a restart', async () => {
    const sent = Array.from({ length: 205 }, (_, number) => `n${number}`)
    await Promise.all(sent.slice(0, 5).map(id => post(receiver, eventBody(id))))
    for (let first = 5; first < 205; first += 40) {
      await Promise.all(sent.slice(first, first + 40).map(id => post(receiver, eventBody(id))))
    }
    await receiver.close()
    receiver = await startReceiver(folder.path)
    const ids = (await shownBy(receiver)).map(event => event.body?.data.verificationId)
    expect(ids).to.have.members(sent.slice(5))
  })

  it('has a certificate for loopback that nobody trusts and that cannot sign others', async () => {
    const certificate = new X509Certificate(await readFile(receiver.authorityFile))
    for (const name of ['IP Address:127.0.0.1', 'IP Address:0:0:0:0:0:0:0:1', 'DNS:localhost']) {
      expect(certificate.subjectAltName).to.contain(name)
    }
    expect(certificate.ca).to.equal(false)
    const error = await new Promise<Error>((resolve, reject) => {
      request(receiver.webhookUrl, { agent: false }, () => reject(new Error('was trusted')))
        .once('error', resolve)
        .end()
    })
    expect(error.message).to.match(/self-signed certificate/)
  })

  it('keeps its certificate until it expires or is damaged, with a private key readable only by its owner', async () => {
    const data = join(folder.path, 'certificates')
    await mkdir(data)
    const authorityAt = async (time: string) => {
      const started = await startReceiver(data, { now: () => new Date(time) })
      await started.close()
      return await readFile(started.authorityFile, 'utf8')
    }
    const first = await authorityAt('2026-11-20T00:00:00Z')
    expect(first).to.not.contain('PRIVATE KEY')
    expect(await authorityAt('2036-11-01T00:00:00Z')).to.equal(first)
    const second = await authorityAt('2038-01-01T00:00:00Z')
    expect(second).to.not.equal(first)
    const key = join(data, 'webhook-receiver-tls.pem')
    await writeFile(key, 'damaged')
    expect(await authorityAt('2038-01-01T00:00:00Z')).to.not.equal(second)
    expect((await stat(key)).mode & 0o777).to.equal(0o600)
  })

  it('fails with a one-line error if a port is taken, and closes its data file', async () => {
    const taken = createServer()
    await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as { port: number }
    const data = join(folder.path, 'taken')
    await mkdir(data)
    for (const ports of [{ httpsPort: port }, { viewPort: port }]) {
      const error = await startReceiver(data, ports).catch((caught: unknown) => caught)
      expect(error).to.be.instanceOf(StartError)
      expect((error as Error).message).to.match(
        new RegExp(`^The webhook receiver .*127.0.0.1:${port}.*EADDRINUSE`),
      )
    }
    taken.close()
    // SQLite deletes the log of a file that is closed.
    expect(await readdir(data)).to.not.include('received-events.sqlite-wal')
  })

  /** The page, as a browser requests it. */
  async function browse(): Promise<Response> {
    return await fetch(receiver.viewUrl, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
  }
})
