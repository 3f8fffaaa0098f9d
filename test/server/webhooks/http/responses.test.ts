import { expect } from 'chai'
import { createTestSender, requestTo, send, startPair, useAutoClose } from './fixture.ts'
import { startRawReceiver, startReceiver } from './tls-receiver.ts'

describe('WebhookSender', () => {
  const open = useAutoClose()
  const start = startPair.bind(undefined, open)

  for (const status of [200, 204, 299]) {
    it(`succeeds when the response is ${status}`, async () => {
      const { sendOne } = await start(response => response.writeHead(status).end())
      expect(await sendOne()).to.deep.equal({ ok: true, status })
    })
  }

  for (const status of [300, 301, 307, 400, 410, 500, 999]) {
    it(`fails when the response is ${status}, and follows no redirect`, async () => {
      const target = await open(startReceiver())
      const location = target.url
      const { receiver, sendOne } = await start(response => response.writeHead(status, { location }).end())
      expect(await sendOne()).to.deep.equal({ ok: false, reason: 'status', status })
      expect(target.connections).to.have.length(0)
      expect(receiver.requests).to.have.length(1)
    })
  }

  it('ignores informational responses, including an unsolicited 100 Continue', async () => {
    const { receiver, sendOne } = await start(response => {
      response.writeContinue()
      response.writeProcessing()
      response.writeEarlyHints({ link: '</a>; rel=preload' })
      response.writeHead(200).end('ok')
    })
    expect(await sendOne()).to.deep.equal({ ok: true, status: 200 })
    expect(await sendOne()).to.deep.equal({ ok: true, status: 200 })
    expect(receiver.connections).to.have.length(1)
  })

  it('does not return the cookies that a receiver sets', async () => {
    const { receiver, sendOne } = await start(response =>
      response.writeHead(200, { 'set-cookie': 'session=1' }).end(),
    )
    await sendOne()
    await sendOne()
    expect(receiver.requests.map(request => request.headers.cookie)).to.deep.equal([undefined, undefined])
  })

  it('accepts an HTTP/1.0 response that ends when the connection closes', async () => {
    const receiver = await open(startRawReceiver(socket => socket.end('HTTP/1.0 200 OK\r\n\r\nthanks')))
    const sender = await open(createTestSender())
    expect(await send(sender, receiver.url)).to.deep.equal({ ok: true, status: 200 })
  })

  const unreadable: Record<string, string> = {
    'is not HTTP': 'SSH-2.0-OpenSSH_9.2\r\n\r\n',
    'is HTTP/0.9': '<html></html>\r\n\r\n',
    'switches protocols':
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
    'has a header of 17 KiB': `HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(17 * 1_024)}\r\n\r\n`,
    'has too many headers': `HTTP/1.1 200 OK\r\n${'x-short: a\r\n'.repeat(3_000)}\r\n`,
    'consists of 10,000 informational responses': 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(10_000),
  }
  for (const [problem, response] of Object.entries(unreadable)) {
    it(`fails immediately when the response ${problem}`, async () => {
      const receiver = await open(startRawReceiver(socket => socket.write(response)))
      const sender = await open(createTestSender({ deadlineMs: 60_000 }))
      const result = await sender.send(requestTo(receiver.url))
      expect(result).to.include({ ok: false, reason: 'connect' })
    })
  }

  it('fails, without repeating the request, when the receiver closes the connection or accepts none', async () => {
    const ending = await open(startRawReceiver(socket => socket.end()))
    const resetting = await open(startRawReceiver(socket => socket.destroy()))
    const away = await startReceiver()
    await away.close()
    const sender = await open(createTestSender())
    for (const { url } of [ending, resetting, away]) {
      expect(await send(sender, url)).to.deep.equal({ ok: false, reason: 'connect' })
    }
    for (const { connections } of [ending, resetting]) expect(connections).to.have.length(1)
  })
})
