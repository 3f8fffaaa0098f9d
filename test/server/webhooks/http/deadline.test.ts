import { createServer } from 'node:net'
import { expect } from 'chai'
import { createWebhookSender } from '#server/webhooks/http/webhook-sender.ts'
import { event, testSender, useFixture } from './fixture.ts'
import { drip, pour, startFullReceiver } from './slow-receivers.ts'
import { closed, listen, type Receiver, startRawReceiver, startReceiver, tlsFile } from './tls-receiver.ts'

describe('an attempt ends at its deadline', () => {
  const fixture = useFixture()
  const head = 'HTTP/1.1 200 OK\r\n'

  const hanging: Record<string, () => Promise<Receiver>> = {
    'while TLS is negotiated': () => listen(createServer(socket => socket.resume())),
    'while the answer is awaited': () => startReceiver({}, () => {}),
    'while headers drip in': () => startRawReceiver(socket => drip(socket, head, 'x-more: 1\r\n')),
    'while one header has no end': () => startRawReceiver(socket => drip(socket, `${head}x-long: `, 'a')),
    'while informational answers drip in': () =>
      startRawReceiver(socket => drip(socket, '', 'HTTP/1.1 102 Processing\r\n\r\n')),
  }
  for (const [step, start] of Object.entries(hanging)) {
    it(step, async () => {
      const receiver = await fixture(start())
      const sender = await fixture(testSender({ deadlineMs: 200 }))
      const outcome = await sender.send(event(`https://receiver.test:${receiver.port}/`))
      expect(outcome).to.include({ ok: false, reason: 'timeout' })
      expect(outcome.durationMs).to.be.within(190, 3_000)
      await allClosed(receiver)
    })
  }

  it('while a name is looked up, and nothing is dialled when the answer comes late', async () => {
    const receiver = await fixture(startReceiver())
    const { promise: answered, resolve: answerLate } = Promise.withResolvers<string[]>()
    const sender = await fixture(
      testSender({ deadlineMs: 100, resolver: { resolve4: () => answered, resolve6: async () => [] } }),
    )
    const outcome = await sender.send(event(`https://receiver.test:${receiver.port}/`))
    expect(outcome).to.include({ ok: false, reason: 'timeout' })
    answerLate(['127.0.0.1'])
    await new Promise(setImmediate)
    await sender.close()
    expect(receiver.connections).to.have.length(0)
  })

  it('while a connection is opened', async () => {
    const full = await fixture(startFullReceiver())
    const sender = await fixture(testSender({ deadlineMs: 200 }))
    const outcome = await sender.send(event(`https://receiver.test:${full.port}/`))
    expect(outcome).to.include({ ok: false, reason: 'timeout' })
    expect(outcome.durationMs).to.be.within(190, 3_000)
  })

  it('which is 5 seconds for all steps together, unless it is set', async () => {
    const receiver = await fixture(startReceiver({}, () => {}))
    const slowNames = { resolve4: () => after(1_000, ['127.0.0.1']), resolve6: async () => [] }
    const [allowedNetworks, caFile] = [['127.0.0.0/8'], tlsFile('ca')]
    const sender = await fixture(createWebhookSender({ allowedNetworks, caFile, resolver: slowNames }))
    const outcome = await sender.send(event(`https://receiver.test:${receiver.port}/`))
    expect(outcome).to.include({ ok: false, reason: 'timeout' })
    expect(outcome.durationMs).to.be.within(4_990, 5_900)
  })

  const afterwards: Record<string, () => Promise<Receiver>> = {
    drips: () => startRawReceiver(socket => drip(socket, `${head}content-length: 99999\r\n\r\n`, 'a')),
    'never comes': () => startRawReceiver(socket => socket.write(`${head}content-length: 9\r\n\r\n`)),
  }
  for (const [kind, start] of Object.entries(afterwards)) {
    it(`but counts as delivered with the headers of a 2xx, though its body ${kind}`, async () => {
      const receiver = await fixture(start())
      const sender = await fixture(testSender({ deadlineMs: 1_000 }))
      const outcome = await sender.send(event(`https://receiver.test:${receiver.port}/`))
      expect(outcome).to.include({ ok: true, status: 200 })
      expect(outcome.durationMs).to.be.below(990)
      await allClosed(receiver)
    })
  }

  const endless: Record<string, [start: string, more: string]> = {
    'an endless body': ['content-length: 999999999', 'a'.repeat(9_999)],
    'an endless chunk': ['transfer-encoding: chunked\r\n\r\nfffffff', 'a'.repeat(9_999)],
    'endless chunks': ['transfer-encoding: chunked', '1\r\na\r\n'.repeat(999)],
    'an endless chunk extension': ['transfer-encoding: chunked\r\n\r\n1;x=1', ';x=1'.repeat(999)],
    'endless trailers': ['transfer-encoding: chunked\r\n\r\n0\r\nx: 1', 'x: 1\r\n'.repeat(999)],
  }
  for (const [kind, [start, more]] of Object.entries(endless)) {
    it(`but ${kind} after 2xx is dropped long before it, and the event counts as delivered`, async () => {
      const answer = `${head}${start}\r\n${start.includes('\n') ? '' : '\r\n'}`
      const receiver = await fixture(startRawReceiver(socket => pour(socket, answer, more)))
      const sender = await fixture(testSender({ deadlineMs: 60_000 }))
      const outcome = await sender.send(event(`https://receiver.test:${receiver.port}/`))
      expect(outcome).to.include({ ok: true, status: 200 })
      await allClosed(receiver)
    })
  }

  it('but endless headers end at once', async () => {
    const receiver = await fixture(startRawReceiver(socket => pour(socket, head, 'x-more: 1\r\n'.repeat(99))))
    const sender = await fixture(testSender({ deadlineMs: 60_000 }))
    const outcome = await sender.send(event(`https://receiver.test:${receiver.port}/`))
    expect(outcome).to.include({ ok: false, reason: 'connect' })
    await allClosed(receiver)
  })
})

const after = <Value>(milliseconds: number, value: Value) =>
  new Promise<Value>(resolve => setTimeout(resolve, milliseconds, value))

async function allClosed(receiver: Receiver): Promise<void> {
  expect(receiver.connections).to.have.length(1)
  await Promise.all(receiver.connections.map(closed))
}
