import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { request } from 'node:https'
import { expect } from 'chai'
import type { WebhookReceiver } from '#development/webhook-receiver/start-webhook-receiver.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { eventBody, post, secret, shownBy, sign, startReceiver, tenantId } from './fixture.ts'

describe('the local webhook receiver', () => {
  const folder = temporaryFolder()
  const now = () => new Date('2026-11-20T10:00:00.123Z')
  let receiver: WebhookReceiver
  let lookedUp: string[]
  let secrets: () => string[]
  before(async () => {
    receiver = await startReceiver(folder.path, {
      now,
      secrets: async tenant => {
        lookedUp.push(tenant)
        return secrets()
      },
    })
  })
  after(() => receiver.close())
  beforeEach(() => {
    lookedUp = []
    secrets = () => [secret]
  })

  it('accepts a signed event over TLS and shows it unchanged', async () => {
    const body = eventBody('one')
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

  it('accepts each of a tenant’s secrets, and no other', async () => {
    secrets = () => ['whsec_newer', secret]
    expect(await post(receiver, eventBody('old'))).to.equal(200)
    expect(await post(receiver, eventBody('new'), sign(eventBody('new'), 'whsec_newer'))).to.equal(200)
    expect(await post(receiver, eventBody('other'), sign(eventBody('other'), 'whsec_other'))).to.equal(401)
  })

  const body = eventBody('wrong')
  const invalid: [string, string | null, string?][] = [
    ['no signature', null],
    ['an empty signature', ''],
    ['a truncated signature', sign(body).slice(0, 40)],
    ['a signature of another body', sign(`${body} `)],
    ['a signature with other characters than hex', 'ä'.repeat(64)],
  ]
  for (const [name, signature] of invalid) {
    it(`responds 401 to ${name}, and shows the event as invalid`, async () => {
      expect(await post(receiver, body, signature)).to.equal(401)
      const [shown] = await shownBy(receiver)
      expect(shown?.signature).to.equal('invalid')
      expect(shown?.raw).to.equal(body)
    })
  }

  it('responds 401 to a body without a tenant id, without looking up secrets', async () => {
    for (const unnamed of ['{}', '[1]', 'no json', '{"tenantId":"\' or 1=1"}', '']) {
      expect(await post(receiver, unnamed), unnamed).to.equal(401)
    }
    expect(lookedUp).to.deep.equal([])
    expect((await shownBy(receiver))[2]).to.include({ raw: 'no json', body: null })
  })

  it('responds 400 to more than 64 KiB, and does not store the body', async () => {
    const before = (await shownBy(receiver)).length
    const status = await post(receiver, Buffer.alloc(64 * 1024 + 1, 'a'))
    expect(status).to.equal(400)
    expect(await post(receiver, Buffer.alloc(64 * 1024, 'a'))).to.equal(401)
    expect((await shownBy(receiver)).length).to.equal(before + 1)
  })

  it('responds 503 if the secrets cannot be looked up, so that the sender retries', async () => {
    secrets = () => {
      throw new Error('the database is unavailable')
    }
    const before = (await shownBy(receiver)).length
    expect(await post(receiver, eventBody('later'))).to.equal(503)
    expect((await shownBy(receiver)).length).to.equal(before)
  })

  it('has a certificate for loopback that cannot sign other certificates', async () => {
    const certificate = new X509Certificate(await readFile(receiver.authorityFile))
    expect(certificate.subjectAltName).to.contain('IP Address:127.0.0.1').and.contain('DNS:localhost')
    expect(certificate.subjectAltName).to.contain('IP Address:0:0:0:0:0:0:0:1')
    expect(certificate.ca).to.equal(false)
    expect(certificate.publicKey.asymmetricKeyType).to.equal('ec')
    expect(new Date(certificate.validTo).getUTCFullYear()).to.equal(2036)
  })

  it('is not trusted by clients without its certificate', async () => {
    const error = await new Promise<Error>((resolve, reject) => {
      request(receiver.webhookUrl, { method: 'POST', agent: false }, () => reject(new Error('was trusted')))
        .once('error', resolve)
        .end()
    })
    expect(error.message).to.match(/self-signed certificate/)
  })
})
