import { expect } from 'chai'
import { createTestSender, send, startPair, useAutoClose } from './fixture.ts'
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

  const ok = 'HTTP/1.1 200 OK\r\n'
  const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n'
  const rest = 'content-length: 2\r\n\r\nok'
  const lenient: Record<string, string> = {
    'bare line feeds': `HTTP/1.1 200 OK\ncontent-length: 2\n\nok`,
    'a folded header': `${ok}x-a: b\r\n c\r\n${rest}`,
    'a control character': `${ok}x-a: a\u0001b\r\n${rest}`,
    'a NUL character': `${ok}x-a: a\0b\r\n${rest}`,
    'a white space before its first header': `${ok} x-a: b\r\n${rest}`,
    'a length and an encoding': `${ok}transfer-encoding: chunked\r\n${rest}`,
    'an encoding after chunked': `${ok}transfer-encoding: chunked, gzip\r\n\r\nok`,
    'an unknown encoding, twice': `${ok}${'transfer-encoding: x\r\n'.repeat(2)}\r\nok`,
    'a cookie of 20 KB': `${ok}set-cookie: ${'a'.repeat(20_000)}\r\n${rest}`,
    '3,000 headers': `${ok}${'x-short: a\r\n'.repeat(3_000)}${rest}`,
    'no reason phrase': `HTTP/1.1 200\r\n${rest}`,
    'a reason phrase in UTF-8': `HTTP/1.1 200 成功\r\n${rest}`,
    'the version 2.0': `HTTP/2.0 200 OK\r\n${rest}`,
    'an empty line in front': `\r\n${ok}${rest}`,
    'strict informational responses in front': `${hints}${hints}HTTP/1.1 200 OK\ncontent-length: 2\n\nok`,
  }
  for (const [peculiarity, response] of Object.entries(lenient)) {
    it(`succeeds when a 200 response has ${peculiarity}`, async () => {
      const receiver = await open(startRawReceiver(socket => socket.write(response)))
      const sender = await open(createTestSender({ deadlineMs: 10_000 }))
      expect(await send(sender, receiver.url)).to.deep.equal({ ok: true, status: 200 })
      expect(receiver.bodies).to.have.length(1)
    })
  }

  const malformed: Record<string, string> = {
    'is not HTTP': 'SSH-2.0-OpenSSH_9.2\r\n\r\n',
    'is HTTP/0.9': '<html></html>\r\n\r\n',
    'is of another protocol': 'ICY 200 OK\r\n\r\n',
    'begins with a byte order mark': `\ufeff${ok}\r\n`,
    'has a status of two digits': 'HTTP/1.1 99 X\r\n\r\n',
    'has a status of four digits': 'HTTP/1.1 2000 X\r\n\r\n',
    'has no status': 'HTTP/1.1 OK\r\n\r\n',
    'has a status line without end': `HTTP/1.1 200 ${'a'.repeat(100_000)}`,
  }
  for (const [problem, response] of Object.entries(malformed)) {
    it(`fails immediately when the response ${problem}`, async () => {
      const receiver = await open(startRawReceiver(socket => socket.write(response)))
      const sender = await open(createTestSender({ deadlineMs: 60_000 }))
      expect(await send(sender, receiver.url)).to.deep.equal({ ok: false, reason: 'malformed_response' })
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
