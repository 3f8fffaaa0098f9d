import { readFileSync } from 'node:fs'
import { createServer as createPlainServer } from 'node:http'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { expect } from 'chai'
import { createWebhookSender } from '#server/webhooks/http/webhook-sender.ts'
import { names, outcomeOf, testSender, useFixture } from './fixture.ts'
import { listen, type ReceiverOptions, startReceiver, tlsFile } from './tls-receiver.ts'

const failure = { ok: false, reason: 'tls' }
const success = { ok: true, status: 204 }

describe('an event is sent only over TLS that proves who the receiver is', () => {
  const fixture = useFixture()

  const distrusted: Record<string, ReceiverOptions> = {
    'a self-signed certificate': { certificate: 'self-signed' },
    'an expired certificate': { certificate: 'expired' },
    'only TLS 1.1': { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    'a wish for a client certificate': { requestCert: true, rejectUnauthorized: true },
    'a wish for a client certificate in TLS 1.2': {
      requestCert: true,
      rejectUnauthorized: true,
      maxVersion: 'TLSv1.2',
    },
  }
  for (const [kind, options] of Object.entries(distrusted)) {
    it(`not to a receiver with ${kind}`, async () => {
      const receiver = await fixture(startReceiver(options))
      const sender = await fixture(testSender())
      expect(await outcomeOf(sender, `https://receiver.test:${receiver.port}/`)).to.deep.equal(failure)
      expect(receiver.requests).to.have.length(0)
    })
  }

  it('not to a receiver with a certificate for another name', async () => {
    const receiver = await fixture(startReceiver())
    const resolver = names({ 'other.test': ['127.0.0.1'], 'a.b.receiver.test': ['127.0.0.1'] })
    const sender = await fixture(testSender({ resolver, allowedNetworks: ['127.0.0.0/8'] }))
    for (const host of ['other.test', 'a.b.receiver.test']) {
      expect(await outcomeOf(sender, `https://${host}:${receiver.port}/`), host).to.deep.equal(failure)
    }
    expect(receiver.requests).to.have.length(0)
  })

  it('not to an address that the certificate does not name', async () => {
    const receiver = await fixture(startReceiver({ host: '127.0.0.3' }))
    const sender = await fixture(testSender())
    expect(await outcomeOf(sender, `https://127.0.0.3:${receiver.port}/`)).to.deep.equal(failure)
    expect(receiver.requests).to.have.length(0)
  })

  it('not to a receiver without TLS', async () => {
    const receiver = await fixture(listen(createPlainServer((_, response) => response.end())))
    const sender = await fixture(testSender())
    expect(await outcomeOf(sender, `https://receiver.test:${receiver.port}/`)).to.deep.equal(failure)
    expect(await outcomeOf(sender, `http://receiver.test:${receiver.port}/`)).to.deep.equal({
      ok: false,
      reason: 'blocked_address',
    })
  })

  it('not where the environment tells Node to trust everybody', async () => {
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      const receiver = await fixture(startReceiver({ certificate: 'self-signed' }))
      const sender = await fixture(testSender())
      expect(await outcomeOf(sender, `https://receiver.test:${receiver.port}/`)).to.deep.equal(failure)
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    }
  })

  it('to a receiver with TLS 1.2', async () => {
    const receiver = await fixture(startReceiver({ maxVersion: 'TLSv1.2' }))
    const sender = await fixture(testSender())
    expect(await outcomeOf(sender, `https://receiver.test:${receiver.port}/`)).to.deep.equal(success)
  })

  it('to a name, also with a final dot, or to an address: the name is asked for, an address is not', async () => {
    const receiver = await fixture(startReceiver())
    const sender = await fixture(testSender({ resolver: names({ 'a.receiver.test': ['127.0.0.1'] }) }))
    for (const host of ['a.receiver.test', 'a.receiver.test.', '127.0.0.1', 'localhost']) {
      expect(await outcomeOf(sender, `https://${host}:${receiver.port}/`), host).to.deep.equal(success)
    }
    const asked = receiver.requests.map(request => (request.socket as TLSSocket).servername)
    expect(asked).to.deep.equal(['a.receiver.test', 'a.receiver.test', false, 'localhost'])
  })

  it('by the default authorities and the configured ones', async () => {
    const before = getCACertificates('default')
    setDefaultCACertificates([readFileSync(tlsFile('self-signed'), 'utf8')])
    try {
      const known = await fixture(startReceiver({ certificate: 'self-signed' }))
      const configured = await fixture(startReceiver())
      const sender = await fixture(testSender())
      for (const { port } of [known, configured]) {
        expect(await outcomeOf(sender, `https://receiver.test:${port}/`)).to.deep.equal(success)
      }
    } finally {
      setDefaultCACertificates(before)
    }
  })

  it('by the default authorities alone, where none are configured', async () => {
    const receiver = await fixture(startReceiver())
    const sender = await fixture(createWebhookSender({ allowedNetworks: ['127.0.0.0/8'] }))
    expect(await outcomeOf(sender, `https://127.0.0.1:${receiver.port}/`)).to.deep.equal(failure)
  })

  it('and a file of authorities that is missing or empty is noticed at the start', () => {
    const open = (caFile: string) => () => createWebhookSender({ allowedNetworks: [], caFile })
    expect(open(tlsFile('none'))).to.throw('ENOENT')
    expect(open(import.meta.filename)).to.throw('holds no PEM certificate')
  })
})
