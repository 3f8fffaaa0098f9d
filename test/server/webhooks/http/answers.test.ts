import { expect } from 'chai'
import { event, outcomeOf, testSender, useFixture } from './fixture.ts'
import { startRawReceiver, startReceiver } from './tls-receiver.ts'

describe('an event reaches its receiver', () => {
  const fixture = useFixture()

  it('with exactly the bytes and headers that were signed, by POST, and nothing else', async () => {
    const receiver = await fixture(startReceiver())
    const sender = await fixture(testSender())
    const port = receiver.port
    expect(await outcomeOf(sender, `https://receiver.test:${port}/hook?a=1&b=%20`)).to.deep.equal({
      ok: true,
      status: 204,
    })
    expect(receiver.bodies).to.deep.equal(['{"event":"verification.completed"}'])
    const [request] = receiver.requests
    expect(request?.method).to.equal('POST')
    expect(request?.url).to.equal('/hook?a=1&b=%20')
    expect(request?.headers).to.deep.equal({
      host: `receiver.test:${port}`,
      'content-type': 'application/json',
      'x-webhook-event': 'verification.completed',
      'content-length': '34',
      connection: 'keep-alive',
    })
  })

  for (const status of [200, 201, 202, 204, 226, 299]) {
    it(`when the answer is ${status}`, async () => {
      const receiver = await fixture(startReceiver({}, response => response.writeHead(status).end()))
      const sender = await fixture(testSender())
      expect(await outcomeOf(sender, `https://receiver.test:${receiver.port}/`)).to.deep.equal({
        ok: true,
        status,
      })
    })
  }

  for (const status of [300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 410, 429, 500, 503, 599, 999]) {
    it(`not when the answer is ${status}, and a redirect is not followed`, async () => {
      const target = await fixture(startReceiver())
      const location = `https://receiver.test:${target.port}/`
      const receiver = await fixture(
        startReceiver({}, response => response.writeHead(status, { location }).end()),
      )
      const sender = await fixture(testSender())
      expect(await outcomeOf(sender, `https://receiver.test:${receiver.port}/`)).to.deep.equal({
        ok: false,
        reason: 'status',
        status,
      })
      expect(target.connections).to.have.length(0)
      expect(receiver.requests).to.have.length(1)
    })
  }

  it('when informational answers come first, also an unasked 100 Continue', async () => {
    const receiver = await fixture(
      startReceiver({}, response => {
        response.writeContinue()
        response.writeProcessing()
        response.writeEarlyHints({ link: '</a>; rel=preload' })
        response.writeHead(200).end('ok')
      }),
    )
    const sender = await fixture(testSender())
    const url = `https://receiver.test:${receiver.port}/`
    expect(await outcomeOf(sender, url)).to.deep.equal({ ok: true, status: 200 })
    expect(await outcomeOf(sender, url)).to.deep.equal({ ok: true, status: 200 })
    expect(receiver.connections).to.have.length(1)
  })

  it('without cookies: what a receiver sets is not sent back', async () => {
    const receiver = await fixture(
      startReceiver({}, response => response.writeHead(200, { 'set-cookie': 'session=1' }).end()),
    )
    const sender = await fixture(testSender())
    await outcomeOf(sender, `https://receiver.test:${receiver.port}/`)
    await outcomeOf(sender, `https://receiver.test:${receiver.port}/`)
    expect(receiver.requests.map(request => request.headers.cookie)).to.deep.equal([undefined, undefined])
  })

  it('from an old receiver that speaks HTTP/1.0 and ends its answer by closing', async () => {
    const receiver = await fixture(startRawReceiver(socket => socket.end('HTTP/1.0 200 OK\r\n\r\nthanks')))
    const sender = await fixture(testSender())
    expect(await outcomeOf(sender, `https://receiver.test:${receiver.port}/`)).to.deep.equal({
      ok: true,
      status: 200,
    })
  })

  const unreadable: Record<string, string> = {
    'is no HTTP': 'SSH-2.0-OpenSSH_9.2\r\n\r\n',
    'is HTTP/0.9': '<html></html>\r\n\r\n',
    'switches protocols':
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
    'has a header of 17 KiB': `HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(17 * 1_024)}\r\n\r\n`,
    'has too many headers': `HTTP/1.1 200 OK\r\n${'x-short: a\r\n'.repeat(3_000)}\r\n`,
    'is a flood of informational answers': 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(10_000),
  }
  for (const [kind, answer] of Object.entries(unreadable)) {
    it(`not when the answer ${kind}; the connection is closed at once`, async () => {
      const receiver = await fixture(startRawReceiver(socket => socket.write(answer)))
      const sender = await fixture(testSender({ deadlineMs: 60_000 }))
      const outcome = await sender.send(event(`https://receiver.test:${receiver.port}/`))
      expect(outcome).to.include({ ok: false, reason: 'connect' })
    })
  }

  it('not when the receiver hangs up without an answer; the request is not repeated', async () => {
    const receiver = await fixture(startRawReceiver(socket => socket.end()))
    const resetting = await fixture(startRawReceiver(socket => socket.destroy()))
    const sender = await fixture(testSender())
    for (const { port } of [receiver, resetting]) {
      expect(await outcomeOf(sender, `https://receiver.test:${port}/`)).to.deep.equal({
        ok: false,
        reason: 'connect',
      })
    }
    expect(receiver.connections).to.have.length(1)
    expect(resetting.connections).to.have.length(1)
  })

  it('not when nobody listens', async () => {
    const receiver = await startReceiver()
    await receiver.close()
    const sender = await fixture(testSender())
    expect(await outcomeOf(sender, `https://receiver.test:${receiver.port}/`)).to.deep.equal({
      ok: false,
      reason: 'connect',
    })
  })
})
