import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { expect } from 'chai'
import { createAddressPolicy } from '#domain/webhook/public-address.policy.ts'
import { dialReceiver } from '#server/webhooks/http/dial-receiver.ts'
import { trustedAuthorities } from '#server/webhooks/http/trusted-authorities.ts'
import { names, outcomeOf, testSender, useFixture } from './fixture.ts'
import { type NameAnswer, startNameServer } from './name-server.ts'
import { closed, startReceiver, tlsFile } from './tls-receiver.ts'

const success = { ok: true, status: 204 }
const blocked = { ok: false, reason: 'blocked_address' }

describe('an event goes only to addresses that were checked', () => {
  const fixture = useFixture()
  /** 127.0.0.2 plays the public address, 127.0.0.1 the private one. */
  const allowedNetworks = ['127.0.0.2/32']

  it('not to private addresses in the URL, however they are written', async () => {
    const receiver = await fixture(startReceiver())
    const sender = await fixture(testSender({ allowedNetworks: [] }))
    const hosts = [
      ...[
        '127.0.0.1',
        '127.1',
        '127.0.0.1.',
        '2130706433',
        '0x7f000001',
        '0x7f.1',
        '017700000001',
        '0177.0.0.1',
      ],
      ...[
        '１２７.0.0.1',
        '127。0。0。1',
        '%31%32%37.0.0.1',
        '0',
        '0.0.0.0',
        '[::1]',
        '[::]',
        '[::ffff:127.0.0.1]',
      ],
      ...[
        '[::ffff:7f00:1]',
        '[::127.0.0.1]',
        '[64:ff9b::127.0.0.1]',
        '[64:ff9b:1::7f00:1]',
        '[2002:7f00:1::1]',
      ],
      ...[
        '[fe80::1%25lo]',
        '[::1%25lo]',
        'localhost',
        'localhost.',
        'a.localhost',
        'LOCALHOST',
        '10.0.0.1',
        '[fd00::1]',
      ],
      ...['169.254.169.254', '168.63.129.16', 'metadata.google.internal', 'redis', 'user@receiver.test'],
    ]
    for (const host of hosts) {
      expect(await outcomeOf(sender, `https://${host}:${receiver.port}/`), host).to.deep.equal(blocked)
    }
    expect(receiver.connections).to.have.length(0)
  })

  it('not to a name that stands for a private address, in whatever form', async () => {
    const receiver = await fixture(startReceiver())
    for (const address of [
      '127.0.0.1',
      '10.0.0.1',
      '::1',
      '::ffff:127.0.0.1',
      '64:ff9b::7f00:1',
      'fe80::1%lo',
      'x:y',
    ]) {
      const sender = await fixture(
        testSender({ allowedNetworks, resolver: names({ 'receiver.test': [address] }) }),
      )
      expect(await outcomeOf(sender, `https://receiver.test:${receiver.port}/`), address).to.deep.equal(
        blocked,
      )
    }
    expect(receiver.connections).to.have.length(0)
  })

  it('not to a name that mixes public and private addresses, in either family and any order', async () => {
    const receiver = await fixture(startReceiver({ host: '127.0.0.2' }))
    for (const addresses of [
      ['127.0.0.2', '127.0.0.1'],
      ['127.0.0.1', '127.0.0.2'],
      ['127.0.0.2', '::1'],
      ['127.0.0.2', 'fd00::1'],
    ]) {
      const sender = await fixture(
        testSender({ allowedNetworks, resolver: names({ 'receiver.test': addresses }) }),
      )
      expect(await outcomeOf(sender, `https://receiver.test:${receiver.port}/`)).to.deep.equal(blocked)
    }
    expect(receiver.connections).to.have.length(0)
  })

  it('never to a name that is public first and private later (DNS rebinding)', async () => {
    const inside = await fixture(startReceiver({ host: '127.0.0.1' }))
    const outside = await fixture(startReceiver({ host: '127.0.0.2', port: inside.port }))
    let answer: NameAnswer = ['127.0.0.2']
    let lookups = 0
    const server = await fixture(
      startNameServer(() => {
        lookups += 1
        return answer
      }),
    )
    const sender = await fixture(
      testSender({ allowedNetworks, resolver: server.resolver, connectionAgeMsMax: 0 }),
    )
    const url = `https://receiver.test:${outside.port}/`
    expect(await outcomeOf(sender, url)).to.deep.equal(success)
    // One look-up (of both families) for the check and the connection: no moment in between to change it.
    expect(lookups).to.equal(2)
    answer = ['127.0.0.1']
    expect(await outcomeOf(sender, url)).to.deep.equal(blocked)
    answer = ['127.0.0.2', '127.0.0.1']
    expect(await outcomeOf(sender, url)).to.deep.equal(blocked)
    expect(outside.requests).to.have.length(1)
    expect(inside.connections).to.have.length(0)
  })

  it('nor by a kept connection: it stays at the public address that was checked', async () => {
    const inside = await fixture(startReceiver({ host: '127.0.0.1' }))
    const outside = await fixture(startReceiver({ host: '127.0.0.2', port: inside.port }))
    let answer: NameAnswer = ['127.0.0.2']
    const server = await fixture(startNameServer(() => answer))
    const sender = await fixture(testSender({ allowedNetworks, resolver: server.resolver }))
    const url = `https://receiver.test:${outside.port}/`
    await outcomeOf(sender, url)
    answer = ['127.0.0.1']
    await outcomeOf(sender, url)
    expect(outside.requests).to.have.length(2)
    expect(outside.connections).to.have.length(1)
    await outside.close()
    expect(await outcomeOf(sender, url)).to.deep.equal(blocked)
    expect(inside.connections).to.have.length(0)
  })

  it('and the peer is checked once more before TLS says a word', async () => {
    const receiver = await fixture(startReceiver())
    const strict = createAddressPolicy(['127.0.0.2/32'])
    const dialled = dialReceiver({
      host: 'receiver.test',
      port: receiver.port,
      addresses: ['127.0.0.1'],
      policy: strict,
      secureContext: trustedAuthorities(tlsFile('ca')),
      signal: new AbortController().signal,
    })
    const failure = await dialled.then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure).to.include({ reason: 'blocked_address' })
    if (receiver.connections.length === 0) await once(receiver.server, 'connection')
    const [connection] = receiver.connections
    await closed(connection!)
    expect(connection?.bytesRead).to.equal(0)
  })

  it('the next address is tried where the first one does not answer', async () => {
    const receiver = await fixture(startReceiver({ host: '127.0.0.2' }))
    const resolver = names({ 'receiver.test': ['127.0.0.3', '::1', '127.0.0.2'] })
    const sender = await fixture(testSender({ resolver }))
    expect(await outcomeOf(sender, `https://receiver.test:${receiver.port}/`)).to.deep.equal(success)
  })

  // A container without IPv6 has no ::1 to listen on.
  const hasIPv6 = Object.values(networkInterfaces()).some(list =>
    list?.some(({ address }) => address === '::1'),
  )
  if (hasIPv6) {
    it('to IPv6 receivers, by name or address', async () => {
      const receiver = await fixture(startReceiver({ host: '::1' }))
      const sender = await fixture(testSender({ resolver: names({ 'receiver.test': ['::1'] }) }))
      for (const host of ['receiver.test', '[::1]', '[0:0::1]', 'localhost']) {
        expect(await outcomeOf(sender, `https://${host}:${receiver.port}/`), host).to.deep.equal(success)
      }
    })
  }

  it('without the proxies that the environment names', async () => {
    const proxy = await fixture(startReceiver())
    const receiver = await fixture(startReceiver())
    const proxies = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'ALL_PROXY']
    const before = proxies.map(name => [name, process.env[name]] as const)
    for (const name of proxies) process.env[name] = `http://127.0.0.1:${proxy.port}`
    try {
      const sender = await fixture(testSender())
      expect(await outcomeOf(sender, `https://receiver.test:${receiver.port}/`)).to.deep.equal(success)
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    }
    expect(proxy.connections).to.have.length(0)
  })
})

describe('a name that can not be resolved fails the attempt as dns', () => {
  const fixture = useFixture()

  const answers: [string, NameAnswer][] = [
    ['it does not exist (NXDOMAIN)', 'NXDOMAIN'],
    ['its server fails (SERVFAIL)', 'SERVFAIL'],
    ['it has no address', []],
    ['its server is dead', 'silence'],
  ]
  for (const [kind, answer] of answers) {
    it(`when ${kind}`, async () => {
      const server = await fixture(startNameServer(() => answer))
      const sender = await fixture(testSender({ resolver: server.resolver, deadlineMs: 5_000 }))
      expect(await outcomeOf(sender, 'https://receiver.test/')).to.deep.equal({ ok: false, reason: 'dns' })
      expect(server.queries).to.include('receiver.test')
    })
  }

  it('while 100 names with a dead server stop nobody else', async () => {
    const server = await fixture(
      startNameServer(name => (name.endsWith('.dead.test') ? 'silence' : ['127.0.0.1'])),
    )
    const receiver = await fixture(startReceiver())
    const sender = await fixture(testSender({ resolver: server.resolver, deadlineMs: 5_000 }))
    let ended = 0
    const hanging = Array.from({ length: 100 }, async (_, i) => {
      await outcomeOf(sender, `https://host-${i}.dead.test/`, `tenant-${i}`)
      ended += 1
    })
    expect(await outcomeOf(sender, `https://receiver.test:${receiver.port}/`)).to.deep.equal(success)
    expect(ended).to.equal(0)
    server.resolver.cancel()
    await Promise.all(hanging)
  })
})
