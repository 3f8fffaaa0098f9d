import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { request } from 'node:https'
import { expect } from 'chai'
import type { EventReceiver } from '#server/development/webhook-receiver/start-webhook-receiver.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { eventBody, post, secret, shownBy, sign, startReceiver, tenantId } from './receiver.ts'

describe('the local event receiver', () => {
  const folder = temporaryFolder()
  const now = () => new Date('2026-11-20T10:00:00.123Z')
  let receiver: EventReceiver
  let asked: string[]
  let known: () => string[]
  before(async () => {
    receiver = await startReceiver(folder.path, {
      now,
      secrets: async tenant => {
        asked.push(tenant)
        return known()
      },
    })
  })
  after(() => receiver.close())
  beforeEach(() => {
    asked = []
    known = () => [secret]
  })

  it('accepts a signed event over TLS and shows it as it arrived', async () => {
    const body = eventBody('one')
    expect(await post(receiver, body)).to.equal(200)
    expect((await shownBy(receiver))[0]).to.deep.equal({
      receivedAt: '2026-11-20T10:00:00.123Z',
      signature: 'valid',
      headers: { 'x-webhook-event': 'verification.completed', 'x-webhook-signature': sign(body) },
      body: JSON.parse(body),
      raw: body,
    })
    expect(asked).to.deep.equal([tenantId])
  })

  it('accepts each secret of a rotation, and no other', async () => {
    known = () => ['whsec_newer', secret]
    expect(await post(receiver, eventBody('old'))).to.equal(200)
    expect(await post(receiver, eventBody('new'), sign(eventBody('new'), 'whsec_newer'))).to.equal(200)
    expect(await post(receiver, eventBody('other'), sign(eventBody('other'), 'whsec_other'))).to.equal(401)
  })

  const body = eventBody('wrong')
  const wrong: [string, string | null, string?][] = [
    ['no signature', null],
    ['an empty one', ''],
    ['one that is cut short', sign(body).slice(0, 40)],
    ['one over other bytes', sign(`${body} `)],
    ['the letters of another alphabet', 'ä'.repeat(64)],
  ]
  for (const [what, signature] of wrong) {
    it(`refuses ${what} with 401, and says so`, async () => {
      expect(await post(receiver, body, signature)).to.equal(401)
      const [shown] = await shownBy(receiver)
      expect(shown?.signature).to.equal('invalid')
      expect(shown?.raw).to.equal(body)
    })
  }

  it('believes no one who names no tenant, and asks for no secrets', async () => {
    for (const unnamed of ['{}', '[1]', 'no json', '{"tenantId":"\' or 1=1"}', '']) {
      expect(await post(receiver, unnamed), unnamed).to.equal(401)
    }
    expect(asked).to.deep.equal([])
    expect((await shownBy(receiver))[2]).to.include({ raw: 'no json', body: null })
  })

  it('refuses more than 64 KiB, and keeps nothing of it', async () => {
    const before = (await shownBy(receiver)).length
    const status = await post(receiver, Buffer.alloc(64 * 1024 + 1, 'a'))
    expect(status).to.equal(400)
    expect(await post(receiver, Buffer.alloc(64 * 1024, 'a'))).to.equal(401)
    expect((await shownBy(receiver)).length).to.equal(before + 1)
  })

  it('asks to be tried again when the secrets cannot be had', async () => {
    known = () => {
      throw new Error('the database is away')
    }
    const before = (await shownBy(receiver)).length
    expect(await post(receiver, eventBody('later'))).to.equal(503)
    expect((await shownBy(receiver)).length).to.equal(before)
  })

  it('has a certificate for this machine only, with which nothing else can be signed', async () => {
    const certificate = new X509Certificate(await readFile(receiver.authorityFile))
    expect(certificate.subjectAltName).to.contain('IP Address:127.0.0.1').and.contain('DNS:localhost')
    expect(certificate.subjectAltName).to.contain('IP Address:0:0:0:0:0:0:0:1')
    expect(certificate.ca).to.equal(false)
    expect(certificate.publicKey.asymmetricKeyType).to.equal('ec')
    expect(new Date(certificate.validTo).getUTCFullYear()).to.equal(2036)
  })

  it('is not trusted by anyone who was not told to', async () => {
    const refused = await new Promise<Error>((resolve, reject) => {
      request(receiver.webhookUrl, { method: 'POST', agent: false }, () => reject(new Error('was trusted')))
        .once('error', resolve)
        .end()
    })
    expect(refused.message).to.match(/self-signed certificate/)
  })
})
