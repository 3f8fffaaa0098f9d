import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createPlainServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect } from 'chai'
import type { TlsFault } from '#domain/webhook/delivery-failure.ts'
import { createWebhookSender } from '#server/webhooks/http/webhook-sender.ts'
import { createTestSender, send, setVariable, startPair, staticResolver, useAutoClose } from './fixture.ts'
import { issueCertificate, issueChain } from './issue-certificate.ts'
import { listen, type ReceiverOptions, startReceiver, tlsFile } from './tls-receiver.ts'

const failure = (fault: TlsFault) => ({ ok: false, reason: 'tls', fault })
const success = { ok: true, status: 204 }

describe('WebhookSender verifies the TLS certificate of the receiver', () => {
  const open = useAutoClose()

  async function write(text: string): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'age-verification-ca-'))
    await open({ close: () => rm(folder, { recursive: true }) })
    const file = join(folder, 'ca.pem')
    await writeFile(file, text)
    return file
  }

  const tls12 = { maxVersion: 'TLSv1.2' } as const
  const clientCertificate = { requestCert: true, rejectUnauthorized: true }
  const untrusted: [problem: string, fault: TlsFault, options: ReceiverOptions][] = [
    ['has a self-signed certificate', 'self_signed', { certificate: 'self-signed' }],
    ['has a self-signed certificate, in TLS 1.2', 'self_signed', { certificate: 'self-signed', ...tls12 }],
    ['has an expired certificate', 'expired', { certificate: 'expired' }],
    [
      'supports only TLS 1.1',
      'handshake',
      { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    ],
    ['requires a client certificate', 'handshake', clientCertificate],
    ['requires a client certificate in TLS 1.2', 'handshake', { ...clientCertificate, ...tls12 }],
  ]
  for (const [problem, fault, options] of untrusted) {
    it(`rejects a receiver that ${problem}: ${fault}`, async () => {
      const { receiver, sendOne } = await startPair(open, undefined, { receiver: options })
      expect(await sendOne()).to.deep.equal(failure(fault))
      expect(receiver.requests).to.have.length(0)
    })
  }

  /** The result of an attempt at a receiver that sends these certificates, with a CA file that has those. */
  async function attemptWith({ key, chain, file }: { key: string; chain: string[]; file: string[] }) {
    const caFile = await write(file.join(''))
    return await (
      await startPair(open, undefined, { caFile, receiver: { key, cert: chain.join('') } })
    ).sendOne()
  }

  it('says which fault a certificate or its chain has', async () => {
    const { root, intermediate, receiver } = await issueChain()
    const other = await issueCertificate('Other', { isAuthority: true })
    const future = await issueCertificate('Future', { authority: root, validFrom: new Date('2125-01-01') })
    const client = await issueCertificate('Client', { authority: root, isForServers: false })
    const { key } = receiver
    const rows: [TlsFault, { key: string; chain: string[]; file: string[] }][] = [
      ['incomplete_chain', { key, chain: [receiver.cert], file: [root.cert] }],
      ['unknown_authority', { key, chain: [receiver.cert, intermediate.cert], file: [other.cert] }],
      [
        'unknown_authority',
        { key, chain: [receiver.cert, intermediate.cert, root.cert], file: [other.cert] },
      ],
      ['not_yet_valid', { key: future.key, chain: [future.cert], file: [root.cert] }],
      ['invalid_certificate', { key: client.key, chain: [client.cert], file: [root.cert] }],
    ]
    for (const [fault, row] of rows) expect(await attemptWith(row)).to.deep.equal(failure(fault))
  })

  it('rejects a certificate for another name, and an IP address that it does not include', async () => {
    const resolver = staticResolver({ 'other.test': ['127.0.0.3'], 'a.b.receiver.test': ['127.0.0.3'] })
    const { receiver, sender } = await startPair(open, undefined, {
      resolver,
      receiver: { host: '127.0.0.3' },
    })
    for (const host of ['other.test', 'a.b.receiver.test', '127.0.0.3']) {
      expect(await send(sender, `https://${host}:${receiver.port}/`), host).to.deep.equal(
        failure('wrong_host'),
      )
    }
    expect(receiver.requests).to.have.length(0)
  })

  it('rejects a receiver without TLS', async () => {
    const receiver = await open(listen(createPlainServer((_, response) => response.end())))
    const sender = await open(createTestSender())
    expect(await send(sender, receiver.url)).to.deep.equal(failure('handshake'))
    expect(await send(sender, `http://receiver.test:${receiver.port}/`)).to.deep.equal({
      ok: false,
      reason: 'blocked_address',
    })
  })

  it('verifies certificates even when NODE_TLS_REJECT_UNAUTHORIZED is 0', async () => {
    using restore = new DisposableStack()
    restore.defer(setVariable('NODE_TLS_REJECT_UNAUTHORIZED', '0'))
    const { sendOne } = await startPair(open, undefined, { receiver: { certificate: 'self-signed' } })
    expect(await sendOne()).to.deep.equal(failure('self_signed'))
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
    expect(await send(sender, `https://127.0.0.1:${receiver.port}/`)).to.deep.equal(
      failure('incomplete_chain'),
    )
  })

  it('throws on creation when the CA file is missing, or contains no certificate or something else', async () => {
    const create = (caFile: string) => () => createWebhookSender({ allowedNetworks: [], caFile })
    expect(create(tlsFile('none'))).to.throw('ENOENT')
    expect(create(import.meta.filename)).to.throw('contains no PEM certificate')
    const ca = readFileSync(tlsFile('ca'), 'utf8')
    const labelled = (label: string) => ca + ca.replaceAll('CERTIFICATE', label)
    for (const label of ['TRUSTED CERTIFICATE', 'X509 CRL', 'CERTIFICATE REQUEST', 'PKCS7', 'Certificate']) {
      expect(create(await write(labelled(label)))).to.throw(`contains a block "${label}"; only "CERTIFICATE"`)
    }
    for (const damaged of [ca.slice(0, 200), ca.replace('\nMII', '\nMI')]) {
      expect(create(await write(ca + damaged))).to.throw("contains a certificate that can't be read")
    }
  })
})
