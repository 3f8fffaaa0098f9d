import { createServer } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { expect } from 'chai'
import { createWebhookSender } from '#server/webhooks/http/webhook-sender.ts'
import { scaledTimeout } from '#test/harness/scaled-timeout.ts'
import { createTestSender, requestTo, useAutoClose } from './fixture.ts'
import { drip, startFullReceiver } from './slow-receivers.ts'
import { closed, listen, type Receiver, startRawReceiver, startReceiver, tlsFile } from './tls-receiver.ts'

describe('WebhookSender ends an attempt at its deadline', () => {
  const open = useAutoClose()
  const head = 'HTTP/1.1 200 OK\r\n'

  const unresponsive: Record<string, () => Promise<Receiver>> = {
    'during the TLS handshake': () => listen(createServer(socket => socket.resume())),
    'while waiting for the response': () => startReceiver({}, () => {}),
    'while headers arrive slowly': () => startRawReceiver(socket => drip(socket, head, 'x-more: 1\r\n')),
    'while informational responses arrive slowly': () =>
      startRawReceiver(socket => drip(socket, '', 'HTTP/1.1 102 Processing\r\n\r\n')),
  }
  for (const [step, start] of Object.entries(unresponsive)) {
    it(step, async () => {
      const receiver = await open(start())
      const sender = await open(createTestSender({ deadlineMs: 1_000 }))
      const result = await sender.send(requestTo(receiver.url))
      expect(result).to.include({ ok: false, reason: 'timeout' })
      expect(result.durationMs).to.be.within(500, scaledTimeout(6_000))
      await allClosed(receiver)
    })
  }

  it('during the DNS lookup, and does not connect when the lookup ends later', async () => {
    const receiver = await open(startReceiver())
    const { promise: lookup, resolve: resolveLookup } = Promise.withResolvers<string[]>()
    const sender = await open(
      createTestSender({ deadlineMs: 100, resolver: { resolve4: () => lookup, resolve6: async () => [] } }),
    )
    const result = await sender.send(requestTo(receiver.url))
    expect(result).to.include({ ok: false, reason: 'dns' })
    resolveLookup(['127.0.0.1'])
    await new Promise(setImmediate)
    await sender.close()
    expect(receiver.connections).to.have.length(0)
  })

  it('during the TCP connect', async () => {
    const full = await open(startFullReceiver())
    const sender = await open(createTestSender({ deadlineMs: 1_000 }))
    const result = await sender.send(requestTo(`https://receiver.test:${full.port}/`))
    expect(result).to.include({ ok: false, reason: 'timeout' })
    expect(result.durationMs).to.be.within(500, scaledTimeout(6_000))
  })

  it('after 5 seconds for all steps together by default', async () => {
    const receiver = await open(startReceiver({}, () => {}))
    const slowNames = { resolve4: () => after(3_500, ['127.0.0.1']), resolve6: async () => [] }
    const [allowedNetworks, caFile] = [['127.0.0.0/8'], tlsFile('ca')]
    const sender = await open(createWebhookSender({ allowedNetworks, caFile, resolver: slowNames }))
    const result = await sender.send(requestTo(receiver.url))
    expect(result).to.include({ ok: false, reason: 'timeout' })
    // The lookup takes 3.5 s: a deadline for each step would end the attempt after 8.5 s.
    expect(result.durationMs).to.be.within(4_900, 8_400)
  })

  const incompleteBodies: Record<string, () => Promise<Receiver>> = {
    'arrives slowly': () =>
      startRawReceiver(socket => drip(socket, `${head}content-length: 99999\r\n\r\n`, 'a')),
    'never arrives': () => startRawReceiver(socket => socket.write(`${head}content-length: 9\r\n\r\n`)),
  }
  for (const [problem, start] of Object.entries(incompleteBodies)) {
    it(`but succeeds as soon as it has the headers of a 2xx response whose body ${problem}`, async () => {
      const receiver = await open(start())
      const sender = await open(createTestSender({ deadlineMs: 4_000 }))
      const result = await sender.send(requestTo(receiver.url))
      expect(result).to.include({ ok: true, status: 200 })
      expect(receiver.connections.map(({ closed }) => closed)).to.deep.equal([false])
      await allClosed(receiver)
    })
  }
})

async function allClosed(receiver: Receiver): Promise<void> {
  expect(receiver.connections).to.have.length(1)
  await Promise.all(receiver.connections.map(closed))
}
