import { EventEmitter, on, once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect } from 'chai'
import { event, outcomeOf, testSender, useFixture } from './fixture.ts'
import { closed, startRawReceiver, startReceiver } from './tls-receiver.ts'

const success = { ok: true, status: 204 }

describe('connections to receivers', () => {
  const fixture = useFixture()

  it('are kept alive between events', async () => {
    const receiver = await fixture(startReceiver())
    const sender = await fixture(testSender())
    for (let sent = 0; sent < 5; sent++) {
      expect(await outcomeOf(sender, `https://receiver.test:${receiver.port}/${sent}`)).to.deep.equal(success)
    }
    expect(receiver.connections).to.have.length(1)
    expect(receiver.requests.map(request => request.url)).to.deep.equal(['/0', '/1', '/2', '/3', '/4'])
  })

  it('are kept also after an event was refused', async () => {
    const receiver = await fixture(startReceiver({}, response => response.writeHead(500).end('sorry')))
    const sender = await fixture(testSender())
    for (let sent = 0; sent < 3; sent++) await outcomeOf(sender, `https://receiver.test:${receiver.port}/`)
    expect(receiver.connections).to.have.length(1)
  })

  it('are kept after an answer of less than 64 KiB, headers included', async () => {
    const receiver = await fixture(startReceiver({}, response => response.end('a'.repeat(65_000))))
    const other = await fixture(startReceiver())
    const sender = await fixture(testSender())
    const url = `https://receiver.test:${receiver.port}/`
    expect(await outcomeOf(sender, url)).to.deep.equal({ ok: true, status: 200 })
    // By the time that another receiver has had some events, this one's answer is read.
    for (let sent = 0; sent < 5; sent++) await outcomeOf(sender, `https://receiver.test:${other.port}/`)
    expect(await outcomeOf(sender, url)).to.deep.equal({ ok: true, status: 200 })
    expect(receiver.connections).to.have.length(1)
  })

  it('are closed after a longer answer, though the event counts as delivered', async () => {
    const receiver = await fixture(startReceiver({}, response => response.end('a'.repeat(65_537))))
    const sender = await fixture(testSender())
    const url = `https://receiver.test:${receiver.port}/`
    expect(await outcomeOf(sender, url)).to.deep.equal({ ok: true, status: 200 })
    await closed(receiver.connections[0]!)
  })

  it('are never shared between tenants, not even to the same receiver', async () => {
    const receiver = await fixture(startReceiver())
    const sender = await fixture(testSender())
    const url = `https://receiver.test:${receiver.port}/`
    await outcomeOf(sender, url, 'tenant-a')
    await outcomeOf(sender, url, 'tenant-b')
    await outcomeOf(sender, url, 'tenant-a')
    expect(receiver.connections).to.have.length(2)
  })

  it('are never shared between host names, not even at the same address', async () => {
    const receiver = await fixture(startReceiver())
    const sender = await fixture(testSender())
    await outcomeOf(sender, `https://receiver.test:${receiver.port}/`)
    await outcomeOf(sender, `https://127.0.0.1:${receiver.port}/`)
    expect(receiver.connections).to.have.length(2)
  })

  it('are not kept when the receiver says so', async () => {
    const receiver = await fixture(
      startReceiver({}, response => response.writeHead(204, { connection: 'close' }).end()),
    )
    const sender = await fixture(testSender())
    await outcomeOf(sender, `https://receiver.test:${receiver.port}/`)
    await outcomeOf(sender, `https://receiver.test:${receiver.port}/`)
    expect(receiver.connections).to.have.length(2)
  })

  it('that the receiver closed in the meantime cost no attempt: a fresh one is taken', async () => {
    const receiver = await fixture(startReceiver())
    const sender = await fixture(testSender())
    const url = `https://receiver.test:${receiver.port}/`
    for (let sent = 0; sent < 20; sent++) {
      expect(await outcomeOf(sender, url)).to.deep.equal(success)
      const connection = receiver.connections.at(-1)!
      if (sent % 2) connection.destroy()
      else connection.end()
      await closed(connection)
    }
    expect(receiver.requests).to.have.length(20)
  })

  it('that close while a request is on its way fail the attempt, and the request is not sent twice', async () => {
    let answered = 0
    const receiver = await fixture(
      startReceiver({}, response => {
        answered += 1
        if (answered === 1) response.writeHead(204).end()
        else response.socket?.destroy()
      }),
    )
    const sender = await fixture(testSender())
    const url = `https://receiver.test:${receiver.port}/`
    expect(await outcomeOf(sender, url)).to.deep.equal(success)
    expect(await outcomeOf(sender, url)).to.deep.equal({ ok: false, reason: 'connect' })
    expect(receiver.requests).to.have.length(2)
    expect(receiver.connections).to.have.length(1)
  })

  it('on which something arrives unasked are closed, and never answer for a later event', async () => {
    const receiver = await fixture(startReceiver())
    const sender = await fixture(testSender())
    const url = `https://receiver.test:${receiver.port}/`
    await outcomeOf(sender, url)
    const [request] = receiver.requests
    request?.socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    await closed(receiver.connections[0]!)
    expect(await outcomeOf(sender, url)).to.deep.equal(success)
    expect(receiver.connections).to.have.length(2)
  })

  it('are renewed when they are old, so that a moved receiver is found', async () => {
    const receiver = await fixture(startReceiver())
    const sender = await fixture(testSender({ connectionAgeMsMax: 0 }))
    await outcomeOf(sender, `https://receiver.test:${receiver.port}/`)
    await outcomeOf(sender, `https://receiver.test:${receiver.port}/`)
    expect(receiver.connections).to.have.length(2)
  })

  it('are closed when they are idle, after as long as the receiver says', async () => {
    const receiver = await fixture(
      startReceiver({}, response => response.writeHead(204, { 'keep-alive': 'timeout=2' }).end()),
    )
    const sender = await fixture(testSender())
    await outcomeOf(sender, `https://receiver.test:${receiver.port}/`)
    const since = performance.now()
    await closed(receiver.connections[0]!)
    expect(performance.now() - since).to.be.within(900, 2_000)
  })

  it('are bounded for each tenant: further attempts wait, their deadline too, and another tenant does not', async () => {
    const arrivals = new EventEmitter()
    const receiver = await fixture(startReceiver({}, response => arrivals.emit('event', response)))
    const other = await fixture(startReceiver())
    const sender = await fixture(testSender({ maxSocketsPerTenant: 2, deadlineMs: 10_000 }))
    const arriving = on(arrivals, 'event') as AsyncIterator<[ServerResponse]>
    const sent = Array.from({ length: 5 }, () => outcomeOf(sender, `https://receiver.test:${receiver.port}/`))
    expect(await outcomeOf(sender, `https://receiver.test:${other.port}/`, 'tenant-b')).to.deep.equal(success)
    for (let answered = 0; answered < 5; answered++) {
      const { value } = await arriving.next()
      expect(receiver.requests.length - answered).to.be.at.most(2)
      value[0].writeHead(204).end()
    }
    expect(await Promise.all(sent)).to.deep.equal(Array(5).fill(success))
  })

  it('are bounded in all: idle ones give way, the least recently used first', async () => {
    const receivers = await Promise.all([1, 2, 3].map(() => fixture(startReceiver())))
    const sender = await fixture(testSender({ maxSocketsTotal: 2 }))
    const send = (index: number) =>
      outcomeOf(sender, `https://receiver.test:${receivers[index]!.port}/`, `tenant-${index}`)
    for (const index of [0, 1, 0, 2]) expect(await send(index)).to.deep.equal(success)
    await closed(receivers[1]!.connections[0]!)
    await send(0)
    expect(receivers.map(receiver => receiver.connections.length)).to.deep.equal([1, 1, 1])
    await send(1)
    expect(receivers.map(receiver => receiver.connections.length)).to.deep.equal([1, 2, 1])
  })

  it('stay within the bound while events go to hundreds of tenants, and no event is lost by it', async () => {
    const receiver = await fixture(startReceiver())
    const sender = await fixture(testSender({ maxSocketsTotal: 8, deadlineMs: 10_000 }))
    const tenants = Array.from({ length: 200 }, (_, i) => `tenant-${i}`)
    const sent = tenants.map(tenant => outcomeOf(sender, `https://receiver.test:${receiver.port}/`, tenant))
    expect(await Promise.all(sent)).to.deep.equal(Array(200).fill(success))
    await Promise.all(receiver.connections.slice(0, -8).map(closed))
    expect(receiver.connections).to.have.length(200)
  })

  it('whose answer is only dripping give way to a new attempt', async () => {
    const dripping = await fixture(
      startRawReceiver(socket => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n')),
    )
    const receiver = await fixture(startReceiver())
    const sender = await fixture(testSender({ maxSocketsTotal: 1, deadlineMs: 10_000 }))
    expect(await outcomeOf(sender, `https://receiver.test:${dripping.port}/`)).to.deep.equal({
      ok: true,
      status: 200,
    })
    expect(await outcomeOf(sender, `https://receiver.test:${receiver.port}/`, 'tenant-b')).to.deep.equal(
      success,
    )
    await closed(dripping.connections[0]!)
  })
})

describe('closing the sender', () => {
  const fixture = useFixture()

  it('lets what is under way come to its end, and closes every connection', async () => {
    let answer = () => {}
    const slow = await fixture(startReceiver({}, response => (answer = () => response.writeHead(204).end())))
    const quick = await fixture(startReceiver())
    const sender = testSender({ deadlineMs: 10_000 })
    await outcomeOf(sender, `https://receiver.test:${quick.port}/`)
    const outcome = outcomeOf(sender, `https://receiver.test:${slow.port}/`)
    await once(slow.server, 'request')
    const closing = sender.close()
    await new Promise(setImmediate)
    answer()
    expect(await outcome).to.deep.equal(success)
    await closing
    await Promise.all([slow, quick].flatMap(receiver => receiver.connections).map(closed))
  })

  it('takes the deadline at most', async () => {
    const receiver = await fixture(startReceiver({}, () => {}))
    const sender = testSender({ deadlineMs: 200 })
    const outcome = outcomeOf(sender, `https://receiver.test:${receiver.port}/`)
    await once(receiver.server, 'request')
    const since = performance.now()
    await sender.close()
    expect(performance.now() - since).to.be.below(3_000)
    expect(await outcome).to.deep.equal({ ok: false, reason: 'timeout' })
  })

  it('is final', async () => {
    const sender = testSender()
    await sender.close()
    await sender.close()
    const refusal = await sender.send(event('https://receiver.test/')).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(refusal).to.be.an('error').with.property('message', 'The event sender is closed')
  })
})
