import { expect } from 'chai'
import { createTestSender, send, useAutoClose } from './fixture.ts'
import { type NameResponse, startNameServer } from './name-server.ts'
import { startReceiver } from './tls-receiver.ts'

describe('WebhookSender resolves host names', () => {
  const open = useAutoClose()

  const responses: [string, NameResponse][] = [
    ['the name does not exist (NXDOMAIN)', 'NXDOMAIN'],
    ['its name server fails (SERVFAIL)', 'SERVFAIL'],
    ['the name has no address', []],
    ['its name server does not respond', 'timeout'],
  ]
  for (const [problem, response] of responses) {
    it(`and fails the attempt with the reason dns when ${problem}`, async () => {
      const server = await open(startNameServer(() => response))
      const sender = await open(createTestSender({ resolver: server.resolver, deadlineMs: 5_000 }))
      expect(await send(sender, 'https://receiver.test/')).to.deep.equal({ ok: false, reason: 'dns' })
      expect(server.queries).to.include('receiver.test')
    })
  }

  it('and does not delay other attempts while the name servers of 100 names do not respond', async () => {
    const deadlineMs = 5_000
    const respond = (name: string) => (name.endsWith('.dead.test') ? 'timeout' : ['127.0.0.1'])
    const server = await open(startNameServer(respond, { timeoutMs: deadlineMs }))
    const receiver = await open(startReceiver())
    const sender = await open(createTestSender({ resolver: server.resolver, deadlineMs }))
    let unresolved = 100
    const unresponsive = Array.from({ length: 100 }, async (_, i) => {
      await send(sender, `https://host-${i}.dead.test/`, `tenant-${i}`)
      unresolved -= 1
    })
    expect(await send(sender, receiver.url)).to.deep.equal({ ok: true, status: 204 })
    expect(unresolved).to.equal(100)
    server.resolver.cancel()
    await Promise.all(unresponsive)
  })
})
