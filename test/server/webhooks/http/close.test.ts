import { once } from 'node:events'
import { expect } from 'chai'
import { createTestSender, requestTo, send, useAutoClose } from './fixture.ts'
import { closed, startReceiver } from './tls-receiver.ts'

describe('WebhookSender.close', () => {
  const open = useAutoClose()

  it('waits for the attempts in flight and closes every connection', async () => {
    let respond = () => {}
    const slow = await open(startReceiver({}, response => (respond = () => response.writeHead(204).end())))
    const quick = await open(startReceiver())
    const sender = createTestSender({ deadlineMs: 10_000 })
    await send(sender, quick.url)
    const result = send(sender, slow.url)
    await once(slow.server, 'request')
    const closing = sender.close()
    await new Promise(setImmediate)
    respond()
    expect(await result).to.deep.equal({ ok: true, status: 204 })
    await closing
    await Promise.all([slow, quick].flatMap(receiver => receiver.connections).map(closed))
  })

  it('takes no longer than the deadline of an attempt', async () => {
    const receiver = await open(startReceiver({}, () => {}))
    const sender = createTestSender({ deadlineMs: 1_000 })
    const result = send(sender, receiver.url)
    await once(receiver.server, 'request')
    const startedAt = performance.now()
    await sender.close()
    expect(performance.now() - startedAt).to.be.below(5_000)
    expect(await result).to.deep.equal({ ok: false, reason: 'timeout' })
  })

  it('is idempotent, and later attempts are rejected', async () => {
    const sender = createTestSender()
    await sender.close()
    await sender.close()
    const error = await sender.send(requestTo('https://receiver.test/')).catch(reason => reason)
    expect(error).to.be.an('error').with.property('message', 'The webhook sender is closed')
  })
})
