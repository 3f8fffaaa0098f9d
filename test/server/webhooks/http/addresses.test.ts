import { networkInterfaces } from 'node:os'
import { expect } from 'chai'
import type { WebhookSenderOptions } from '#server/webhooks/http/webhook-sender.ts'
import { eventually } from '#test/harness/eventually.ts'
import { createTestSender, send, setVariable, staticResolver, useAutoClose } from './fixture.ts'
import { startReceiver } from './tls-receiver.ts'

const success = { ok: true, status: 204 }
const blocked = { ok: false, reason: 'blocked_address' }

/** One of each kind; the URL's own tests have every notation. */
const blockedHosts = [
  '127.0.0.1',
  '0x7f.1',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  'localhost',
  '169.254.169.254',
  'redis',
  'user@receiver.test',
]

describe('WebhookSender connects only to permitted addresses', () => {
  const open = useAutoClose()
  /** Makes 127.0.0.2 the public address and 127.0.0.1 the private one. */
  const allowedNetworks = ['127.0.0.2/32']

  it('blocks a URL that names a private address', async () => {
    const receiver = await open(startReceiver())
    const sender = await open(createTestSender({ allowedNetworks: [] }))
    for (const host of blockedHosts) {
      expect(await send(sender, `https://${host}:${receiver.port}/`), host).to.deep.equal(blocked)
    }
    expect(receiver.connections).to.have.length(0)
  })

  const resolutions: Record<string, string[][]> = {
    'a private address': [['127.0.0.1'], ['::ffff:127.0.0.1'], ['64:ff9b::7f00:1'], ['fe80::1%lo'], ['x:y']],
    'both public and private addresses, in either family and any order': [
      ['127.0.0.2', '127.0.0.1'],
      ['127.0.0.1', '127.0.0.2'],
      ['127.0.0.2', 'fd00::1'],
      ['127.0.0.2', '64:ff9b::a9fe:a9fe'],
    ],
  }
  for (const [title, rows] of Object.entries(resolutions)) {
    it(`blocks names that resolve to ${title}`, async () => {
      const { port, connections } = await open(startReceiver({ host: '0.0.0.0' }))
      for (const addresses of rows) {
        const resolver = staticResolver({ 'receiver.test': addresses })
        const sender = await open(createTestSender({ allowedNetworks, resolver }))
        const result = await send(sender, `https://receiver.test:${port}/`)
        expect(result, addresses.join()).to.deep.equal(blocked)
      }
      expect(connections).to.have.length(0)
    })
  }

  /** A public and a private receiver on one port, and the records of their name, which a test changes. */
  async function startRebinding(options: Partial<WebhookSenderOptions> = {}) {
    const privateReceiver = await open(startReceiver({ host: '127.0.0.1' }))
    const publicReceiver = await open(startReceiver({ host: '127.0.0.2', port: privateReceiver.port }))
    const name = { records: ['127.0.0.2'], lookups: 0 }
    const resolver = {
      async resolve4() {
        name.lookups += 1
        return name.records
      },
      resolve6: async () => [],
    }
    const sender = await open(createTestSender({ allowedNetworks, resolver, ...options }))
    return { privateReceiver, publicReceiver, name, sendOne: () => send(sender, publicReceiver.url) }
  }

  it('blocks names that resolve to a public address first and to a private one later (DNS rebinding)', async () => {
    const { privateReceiver, publicReceiver, name, sendOne } = await startRebinding({ connectionAgeMsMax: 0 })
    expect(await sendOne()).to.deep.equal(success)
    // The check and the connection share one lookup, so the records can't change in between.
    expect(name.lookups).to.equal(1)
    for (const records of [['127.0.0.1'], ['127.0.0.2', '127.0.0.1']]) {
      name.records = records
      expect(await sendOne()).to.deep.equal(blocked)
    }
    expect(publicReceiver.requests).to.have.length(1)
    expect(privateReceiver.connections).to.have.length(0)
  })

  it('reuses a connection to the checked public address after the name changes to a private one', async () => {
    const { privateReceiver, publicReceiver, name, sendOne } = await startRebinding()
    await eventually(async () => {
      name.records = ['127.0.0.2']
      await sendOne()
      name.records = ['127.0.0.1']
      // Unless that one was idle for 1.5 s.
      return (await sendOne()).ok
    })
    await publicReceiver.close()
    expect(await sendOne()).to.deep.equal(blocked)
    expect(privateReceiver.connections).to.have.length(0)
  })

  const refusing = Array.from({ length: 7 }, (_, i) => `127.0.1.${i + 1}`)

  it('tries the next address when one does not accept connections', async () => {
    const receiver = await open(startReceiver({ host: '127.0.0.2' }))
    const addresses = [...refusing, '127.0.0.2']
    const sender = await open(createTestSender({ resolver: staticResolver({ 'receiver.test': addresses }) }))
    expect(await send(sender, receiver.url)).to.deep.equal(success)
  })

  // A container without IPv6 has no ::1 to listen on.
  const hasIPv6 = Object.values(networkInterfaces()).some(list =>
    list?.some(({ address }) => address === '::1'),
  )
  if (hasIPv6) {
    it('connects to IPv6 receivers by name and by address', async () => {
      const receiver = await open(startReceiver({ host: '::1' }))
      const sender = await open(createTestSender({ resolver: staticResolver({ 'receiver.test': ['::1'] }) }))
      for (const host of ['receiver.test', '[::1]', '[0:0::1]', 'localhost']) {
        expect(await send(sender, `https://${host}:${receiver.port}/`), host).to.deep.equal(success)
      }
    })
  }

  it('ignores the proxies that the environment configures', async () => {
    const proxy = await open(startReceiver())
    const receiver = await open(startReceiver())
    const proxies = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'ALL_PROXY']
    await using restore = new AsyncDisposableStack()
    for (const name of proxies) restore.defer(setVariable(name, `http://127.0.0.1:${proxy.port}`))
    const sender = await open(createTestSender())
    expect(await send(sender, receiver.url)).to.deep.equal(success)
    expect(proxy.connections).to.have.length(0)
  })
})
