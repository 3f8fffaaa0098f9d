import { readFileSync } from 'node:fs'
import { createServer as createPlainServer } from 'node:http'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { expect } from 'chai'
import { createWebhookSender } from '#server/webhooks/http/webhook-sender.ts'
import { createTestSender, send, setVariable, startPair, staticResolver, useAutoClose } from './fixture.ts'
import { listen, type ReceiverOptions, startReceiver, tlsFile } from './tls-receiver.ts'

const failure = { ok: false, reason: 'tls' }
const success = { ok: true, status: 204 }

describe('WebhookSender verifies the TLS certificate of the receiver', () => {
  const open = useAutoClose()

  const untrusted: Record<string, ReceiverOptions> = {
    'has a self-signed certificate': { certificate: 'self-signed' },
    'has an expired certificate': { certificate: 'expired' },
    'supports only TLS 1.1': { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    'requires a client certificate': { requestCert: true, rejectUnauthorized: true },
    'requires a client certificate in TLS 1.2': {
      requestCert: true,
      rejectUnauthorized: true,
      maxVersion: 'TLSv1.2',
    },
  }
  for (const [problem, options] of Object.entries(untrusted)) {
    it(`rejects a receiver that ${problem}`, async () => {
      const { receiver, sendOne } = await startPair(open, undefined, { receiver: options })
      expect(await sendOne()).to.deep.equal(failure)
      expect(receiver.requests).to.have.length(0)
    })
  }

  it('rejects a certificate for another name, and an IP address that it does not include', async () => {
    const resolver = staticResolver({ 'other.test': ['127.0.0.3'], 'a.b.receiver.test': ['127.0.0.3'] })
    const { receiver, sender } = await startPair(open, undefined, {
      resolver,
      receiver: { host: '127.0.0.3' },
    })
    for (const host of ['other.test', 'a.b.receiver.test', '127.0.0.3']) {
      expect(await send(sender, `https://${host}:${receiver.port}/`), host).to.deep.equal(failure)
    }
    expect(receiver.requests).to.have.length(0)
  })

  it('rejects a receiver without TLS', async () => {
    const receiver = await open(listen(createPlainServer((_, response) => response.end())))
    const sender = await open(createTestSender())
    expect(await send(sender, receiver.url)).to.deep.equal(failure)
    expect(await send(sender, `http://receiver.test:${receiver.port}/`)).to.deep.equal({
      ok: false,
      reason: 'blocked_address',
    })
  })

  it('verifies certificates even when NODE_TLS_REJECT_UNAUTHORIZED is 0', async () => {
    using restore = new DisposableStack()
    restore.defer(setVariable('NODE_TLS_REJECT_UNAUTHORIZED', '0'))
    const { sendOne } = await startPair(open, undefined, { receiver: { certificate: 'self-signed' } })
    expect(await sendOne()).to.deep.equal(failure)
  })

  it('accepts TLS 1.2', async () => {
    const { sendOne } = await startPair(open, undefined, { receiver: { maxVersion: 'TLSv1.2' } })
    expect(await sendOne()).to.deep.equal(success)
  })

  it('sends the server name (SNI) of a host name, with or without a trailing dot, and none of an IP address', async () => {
    const resolver = staticResolver({ 'a.receiver.test': ['127.0.0.1'] })
    const { receiver, sender } = await startPair(open, undefined, { resolver })
    for (const host of ['a.receiver.test', 'a.receiver.test.', '127.0.0.1', 'localhost']) {
      expect(await send(sender, `https://${host}:${receiver.port}/`), host).to.deep.equal(success)
    }
    const serverNames = receiver.requests.map(request => (request.socket as TLSSocket).servername)
    expect(serverNames).to.deep.equal(['a.receiver.test', 'a.receiver.test', false, 'localhost'])
  })

  it('trusts the default certificate authorities and the configured ones', async () => {
    const before = getCACertificates('default')
    setDefaultCACertificates([readFileSync(tlsFile('self-signed'), 'utf8')])
    try {
      const trustedByDefault = await open(startReceiver({ certificate: 'self-signed' }))
      const configured = await open(startReceiver())
      const sender = await open(createTestSender())
      for (const { port } of [trustedByDefault, configured]) {
        expect(await send(sender, `https://receiver.test:${port}/`)).to.deep.equal(success)
      }
    } finally {
      setDefaultCACertificates(before)
    }
  })

  it('trusts only the default certificate authorities when none are configured', async () => {
    const receiver = await open(startReceiver())
    const sender = await open(createWebhookSender({ allowedNetworks: ['127.0.0.0/8'] }))
    expect(await send(sender, `https://127.0.0.1:${receiver.port}/`)).to.deep.equal(failure)
  })

  it('throws on creation when the CA file is missing or contains no certificate', () => {
    const create = (caFile: string) => () => createWebhookSender({ allowedNetworks: [], caFile })
    expect(create(tlsFile('none'))).to.throw('ENOENT')
    expect(create(import.meta.filename)).to.throw('contains no PEM certificate')
  })
})
